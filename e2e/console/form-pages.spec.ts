import { expect, test } from "../fixtures";
import { hasNoFinding } from "../lists";
import { param } from "../records";
import { makeRepo } from "../repos";

test("a wide form is a page: Back closes it, the navigation stays in reach, and leaving asks", async ({
  person,
}) => {
  const { page, organization, open } = person;
  await open(`identities?group=${organization.uid}`);
  const create = page.getByRole("main").getByRole("button", { name: "Create identity" }).first();
  await create.click();
  const form = page.getByRole("dialog", { name: "Create identity" });
  await expect(form.getByRole("radio", { name: "GitHub Actions" })).toBeFocused();
  await hasNoFinding(page, "[role=dialog]");
  await page.goBack();
  await expect(form).toBeHidden();
  await expect(create).toBeFocused();

  await create.click();
  await form.getByRole("textbox", { name: "Name", exact: true }).fill("ci");
  await page.getByRole("link", { name: "Roles", exact: true }).click();
  await page.getByRole("button", { name: "Keep editing" }).click();
  await expect(form.getByRole("textbox", { name: "Name", exact: true })).toHaveValue("ci");
  await form.getByRole("textbox", { name: "Name", exact: true }).press("Escape");
  await page.getByRole("button", { name: "Discard changes" }).click();
  await expect(form).toBeHidden();
  await expect(
    page.getByRole("main").getByRole("heading", { name: "Identities", exact: true }),
  ).toBeVisible();
});

test("a reload brings back what was typed, without secrets, and says so", async ({ person }) => {
  const { page, organization, open } = person;
  await open(`identity-providers?group=${organization.uid}&drawer=create`);
  const form = page.getByRole("dialog", { name: "Create identity provider" });
  await form.getByLabel("Client ID").fill("console");
  await form.getByLabel("Client secret", { exact: true }).fill("hush");
  await page.reload();
  await expect(form.getByText("Draft restored")).toBeVisible();
  await expect(form.getByLabel("Client ID")).toHaveValue("console");
  await expect(form.getByLabel("Client secret", { exact: true })).toHaveValue("");
  await form.getByRole("button", { name: "Discard draft" }).click();
  await expect(form.getByText("Draft restored")).toBeHidden();
  await expect(form.getByLabel("Client ID")).toHaveValue("");
  await page.reload();
  await expect(form.getByLabel("Client ID")).toHaveValue("");
  await expect(form.getByText("Draft restored")).toBeHidden();
});

test("at 400 % zoom a form scrolls as a whole, on a page and in a drawer @long", async ({ person }) => {
  const { page, organization, open } = person;
  await page.setViewportSize({ width: 320, height: 256 });
  for (const [path, title, submit] of [
    ["roles", "Create role", "Create role"],
    ["group-invites", "Create invite", "Create invite"],
  ] as const) {
    await open(`${path}?group=${organization.uid}&drawer=create`);
    const form = page.getByRole("dialog", { name: title });
    const button = form.getByRole("button", { name: submit });
    await expect(button).not.toBeInViewport();
    await button.scrollIntoViewIfNeeded();
    await expect(form.getByRole("heading", { name: title })).not.toBeInViewport();
  }
});

test("the actions of a repo keep their place on every tab", async ({ person }) => {
  const { page, open } = person;
  const repo = await makeRepo(person, { name: "web" });
  await open(`repos/${param(repo)}`);
  const main = page.getByRole("main");
  const places = async () =>
    Promise.all(
      ["Edit", "More actions for web"].map(async (name) => {
        const box = await main.getByRole("button", { name, exact: true }).boundingBox();
        return [name, Math.round(box?.x ?? -1), Math.round(box?.y ?? -1)];
      }),
    );
  await expect(main.getByRole("button", { name: "Edit", exact: true })).toBeVisible();
  const first = await places();
  for (const tab of ["Tags", "Who has access", "Overview"]) {
    await main.getByRole("navigation", { name: "Repo pages" }).getByRole("link", { name: tab }).click();
    await expect(
      main.getByRole("navigation", { name: "Repo pages" }).locator("[aria-current=page]"),
    ).toHaveText(tab);
    await expect.poll(places).toEqual(first);
  }
});
