import type { Page } from "@playwright/test";

import { expect, register, test } from "../fixtures";
import { Keyboard } from "../keyboard";
import { chooseTool, createAll, hasNoFinding, machine } from "../lists";

const headers = (page: Page, list = "Identities") =>
  page
    .getByRole("table", { name: list })
    .getByRole("columnheader")
    .allTextContents()
    // The header of the checkbox column has no text.
    .then((texts) => texts.filter(Boolean));

test("columns are chosen by a person, per list, and stay theirs in a browser that others use", async ({
  person,
}) => {
  const { page, context, api, organization, open } = person;
  await api.post(`/iam/v2/identities/${organization.uid}`, machine("ci"));
  await api.post(`/iam/v2/groups/${organization.uid}`, { name: "team" });
  await open(`identities?group=${organization.uid}`);
  const usual = ["Name", "Type", "Matches", "Last seen", "Folder", "Created", "Actions"];
  await expect(page.getByRole("link", { name: "ci", exact: true })).toBeVisible();
  expect(await headers(page)).toEqual(usual);

  // With the keyboard only.
  const keyboard = new Keyboard(page);
  const button = page.getByRole("button", { name: "Choose columns" });
  await keyboard.walkTo(button);
  await keyboard.press("Enter");
  const chooser = page.getByRole("dialog", { name: "Columns" });
  await expect(chooser.getByRole("checkbox", { name: "Type" })).toBeFocused();
  await expect(chooser.getByRole("checkbox", { name: /^Name/ })).toBeDisabled();
  await hasNoFinding(page, "[role=dialog]");
  await keyboard.press("Space");
  await expect.poll(() => headers(page)).toEqual(usual.filter((each) => each !== "Type"));
  await keyboard.walkTo(chooser.getByRole("checkbox", { name: "Created" }));
  await keyboard.press("Space");
  const own = ["Name", "Matches", "Last seen", "Folder", "Actions"];
  await expect.poll(() => headers(page)).toEqual(own);
  await keyboard.press("Escape");
  await expect(chooser).toBeHidden();
  await expect(button).toBeFocused();
  await page.getByRole("button", { name: "Make rows compact" }).click();

  // The address contains none of it: whoever opens the link sees their own choice of columns.
  expect(new URL(page.url()).search).toBe(`?group=${organization.uid}`);
  await page.reload();
  await expect(page.getByRole("link", { name: "ci", exact: true })).toBeVisible();
  expect(await headers(page)).toEqual(own);
  await expect(page.getByRole("button", { name: "Make rows comfortable" })).toBeVisible();
  const second = await context.newPage();
  await second.goto(page.url());
  await expect(second.getByRole("link", { name: "ci", exact: true })).toBeVisible();
  expect(await headers(second)).toEqual(own);
  await second.close();
  await open(`groups?group=${organization.uid}`);
  await expect.poll(() => headers(page, "Groups")).toContain("Created");

  // Another user of the same browser.
  await page.getByRole("button", { name: /^Your account/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "You're signed out" })).toBeVisible();
  const other = await register(await context.newPage());
  const theirs = await other.api.createOrganization(organization.name.replace("org", "other"));
  await other.api.post(`/iam/v2/identities/${theirs.uid}`, machine("ci"));
  await other.open(`identities?group=${theirs.uid}`);
  await expect(other.page.getByRole("link", { name: "ci", exact: true })).toBeVisible();
  expect(await headers(other.page)).toEqual(usual);
  await expect(other.page.getByRole("button", { name: "Make rows compact" })).toBeVisible();
});

test("a chosen column stays as long as there is room, and a reset brings back the usual ones", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  await api.post(`/iam/v2/identities/${organization.uid}`, machine("ci"));
  // Narrower, there is no chooser; the navigation beside the list leaves room for few columns.
  await page.setViewportSize({ width: 1000, height: 700 });
  await open(`identities?group=${organization.uid}`);
  await expect(page.getByRole("link", { name: "ci", exact: true })).toBeVisible();
  expect(await headers(page)).toEqual(["Name", "Matches", "Last seen", "Actions"]);
  await page.getByRole("button", { name: "Choose columns" }).click();
  const chooser = page.getByRole("dialog", { name: "Columns" });
  await chooser.getByRole("checkbox", { name: "Type" }).check();
  await expect.poll(() => headers(page)).toEqual(["Name", "Type", "Matches", "Last seen", "Actions"]);
  await chooser.getByRole("checkbox", { name: "Created" }).check();
  await expect(chooser.getByText("window too narrow")).toBeVisible();
  await chooser.getByRole("button", { name: "Reset columns" }).click();
  await expect(chooser).toBeHidden();
  await expect.poll(() => headers(page)).toEqual(["Name", "Matches", "Last seen", "Actions"]);

  // An optional column, off by default.
  await page.setViewportSize({ width: 1280, height: 700 });
  await page.getByRole("button", { name: "Choose columns" }).click();
  await chooser.getByRole("checkbox", { name: "uid" }).check();
  await expect
    .poll(() => headers(page))
    .toEqual(["Name", "Type", "Matches", "Last seen", "Created", "uid", "Actions"]);
});

test("a link to a view opens the same view elsewhere", async ({ person }) => {
  const { page, context, api, organization, open } = person;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const names = Array.from({ length: 60 }, (_, index) => `m-${String(index).padStart(2, "0")}`);
  await createAll(
    api,
    `/iam/v2/identities/${organization.uid}`,
    names.map((name) => machine(name)),
  );
  await open("identities?order=name+desc&kind=claims");
  await expect(page.getByRole("link", { name: "m-59" })).toBeVisible();
  await page.getByLabel("Jump to row").fill("31");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/at=30/);
  await chooseTool(page, "Copy link to this view");
  await expect(page.getByText("Copied the link")).toBeVisible();
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  expect(Object.fromEntries(link.searchParams)).toEqual({
    group: organization.uid,
    order: "name desc",
    kind: "claims",
    at: "30",
  });
  const other = await context.newPage();
  await other.goto(link.href);
  await expect(other.getByRole("link", { name: "m-29" })).toBeInViewport();
  await expect(other.getByText(/^31–\d+ of 60$/)).toBeVisible();
  await expect(other.getByRole("combobox", { name: "Type" })).toHaveValue("claims");
});
