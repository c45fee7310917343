import { address } from "../api";
import { expect, gate, test, unique } from "../fixtures";

test(
  "a person who opens a deep link signs in and arrives at that very page and query @engines",
  gate,
  async ({ person, browser, problems }) => {
    const group = person.organization.uid;
    for (const name of ["first", "second"]) await person.api.post(`/iam/v2/groups/${group}`, { name });
    const context = await browser.newContext();
    await problems.watch(context);
    const page = await context.newPage();
    const deep = address(`groups?group=${group}&order=name+desc`);
    await page.goto(deep);
    await page.getByLabel("Email").fill(person.email);
    await page.getByLabel("Password").fill(person.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("heading", { name: "Groups", level: 1 })).toBeVisible();
    await expect(page).toHaveURL(deep);
    await expect(page.getByRole("columnheader", { name: "Name" })).toHaveAttribute("aria-sort", "descending");
    await context.close();
  },
);

test(
  "a wrong password is refused in one sentence, and the email that was typed stays @engines",
  gate,
  async ({ page, problems }) => {
    problems.allow(/status of 4\d\d .*\/oidc\//);
    const email = `${unique("nobody")}@journeys.example`;
    await page.goto(address());
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("alert")).toBeVisible();
    await expect(page.getByLabel("Email")).toHaveValue(email);
    await expect(page.getByLabel("Password")).toHaveValue("");
  },
);

test(
  "a reload keeps the person signed in, and signing out ends the provider's session too @engines",
  gate,
  async ({ person }) => {
    const { page } = person;
    await person.open("groups");
    await expect(page.getByRole("link", { name: person.organization.name }).first()).toBeVisible();
    await page.reload();
    await expect(page.getByRole("heading", { name: "Groups", level: 1 })).toBeVisible();

    await page.getByRole("button", { name: /^Your account/ }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page.getByRole("heading", { name: "You're signed out" })).toBeVisible();
    await page.getByRole("button", { name: "Sign in" }).click();
    // The provider must not sign them in again from a session it still has.
    await expect(page.getByLabel("Password")).toBeVisible();
  },
);

test(
  "somebody sees who the platform takes them for, and which role they hold where",
  gate,
  async ({ person }) => {
    const { page, api } = person;
    await person.open("");
    await page.getByRole("button", { name: /^Your account/ }).click();
    const panel = page.getByRole("dialog", { name: "Your account" });
    await panel.getByText("Roles and session").click();
    await expect(panel.getByText(api.who.subject)).toBeVisible();
    await expect(panel.getByText(api.who.issuer)).toBeVisible();
    await expect(panel.getByRole("link", { name: person.organization.name })).toBeVisible();
  },
);
