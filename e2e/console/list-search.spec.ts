import type { Page } from "@playwright/test";

import { expect, gate, test } from "../fixtures";
import { createAll, hasNoFinding, machine, openFilters, searchList } from "../lists";

const names = (page: Page) => page.getByRole("table", { name: "Identities" }).getByRole("link");
const line = (page: Page) => page.getByRole("group", { name: "Search of identities" });

test(
  "one field searches exactly, then reads the list, and says which; filters are chips",
  gate,
  async ({ person }) => {
    const { page, api, organization, open } = person;
    const bodies = ["ci", "ci-release", "ci-nightly", "deploy"].map((name) => machine(name));
    await createAll(api, `/iam/v2/identities/${organization.uid}`, bodies);
    await open(`identities?group=${organization.uid}`);
    await expect(names(page)).toHaveCount(4);

    await searchList(page, "ci");
    await expect(names(page)).toHaveText(["ci"]);
    await expect(page.getByText("Exact matches only")).toBeVisible();
    await expect(page).toHaveURL(/[?&]name=ci(&|$)/);
    await page.getByRole("button", { name: "Search further" }).click();
    await expect(names(page)).toHaveText(["ci", "ci-nightly", "ci-release"]);
    await expect(line(page)).toHaveText("3 of 4 identities");
    await expect(page.getByRole("searchbox", { name: "Search identities" })).toBeFocused();
    // No exact match: the list scans for the text by itself, and Back returns to the previous search.
    await searchList(page, "night");
    await expect(names(page)).toHaveText(["ci-nightly"]);
    await expect(page).toHaveURL(/[?&]contains=night(&|$)/);
    await page.goBack();
    await expect(names(page)).toHaveCount(3);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(names(page)).toHaveCount(4);

    const filters = await openFilters(page);
    await hasNoFinding(page, "[role=dialog]");
    await filters.getByRole("combobox", { name: "Keys" }).selectOption("expiring");
    await filters.getByRole("checkbox", { name: "This group only" }).check();
    await page.keyboard.press("Escape");
    const add = page.getByRole("button", { name: "Add filter" });
    await expect(add).toBeFocused();
    await expect(page.locator("[data-chip]")).toHaveText([/^Keys: expired or expiring/, "This group only"]);
    await hasNoFinding(page, "main");
    // A chip opens its control. Delete removes a chip and moves the focus to the next one.
    const keys = page.getByRole("button", { name: /^Keys: expired or expiring/ });
    await keys.click();
    await expect(filters.getByRole("combobox", { name: "Keys" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(filters).toBeHidden();
    await keys.focus();
    await page.keyboard.press("Delete");
    await expect(page.locator("[data-chip]")).toHaveText(["This group only"]);
    await expect(page.getByRole("button", { name: 'Remove filter "This group only"' })).toBeFocused();
    await page.keyboard.press("Backspace");
    await expect(page.locator("[data-chip]")).toHaveCount(0);
    await expect(add).toBeFocused();
  },
);

test("a list is searched while one types, as one step of the history", async ({ person }) => {
  const { page, api, organization, open } = person;
  const bodies = ["ci", "ci-release", "deploy"].map((name) => machine(name));
  await createAll(api, `/iam/v2/identities/${organization.uid}`, bodies);
  await open(`identities?group=${organization.uid}`);
  await expect(names(page)).toHaveCount(3);
  const field = page.getByRole("searchbox", { name: "Search identities" });

  await field.pressSequentially("rel");
  await expect(names(page)).toHaveText(["ci-release"]);
  await field.pressSequentially("e");
  await expect(page).toHaveURL(/[?&]contains=rele(&|$)/);
  await expect(field).toHaveValue("rele");
  await expect(names(page)).toHaveText(["ci-release"]);
  await field.press("ArrowDown");
  await expect(names(page).first()).toBeFocused();
  await page.goBack();
  await expect(names(page)).toHaveCount(3);

  await field.pressSequentially("rel");
  await expect(names(page)).toHaveText(["ci-release"]);
  await field.press("Escape");
  await expect(field).toHaveValue("");
  await expect(field).toBeFocused();
  await expect(names(page)).toHaveCount(3);
  await field.press("Escape");
  await expect(field).not.toBeFocused();
});

test("of two quick presses in the filters, both count", async ({ person }) => {
  const { page, organization, open } = person;
  await open(`tags?group=${organization.uid}`);
  const filters = await openFilters(page);
  const boxes = ["Dated tags", "Build tags"].map((name) => filters.getByRole("checkbox", { name }));
  await Promise.all(boxes.map((box) => box.dispatchEvent("click")));
  for (const box of boxes) await expect(box).toBeChecked();
  // In the order in which the browser got them.
  await expect(page).toHaveURL(/(?=.*dates=yes)(?=.*epochs=yes)/);
  await Promise.all([boxes[0]?.dispatchEvent("click"), boxes[0]?.dispatchEvent("click")]);
  for (const box of boxes) await expect(box).toBeChecked();
});

test("a view is saved under a name, opened, renamed, and deleted @long", async ({ person }) => {
  const { page, api, organization, open } = person;
  await createAll(
    api,
    `/iam/v2/identities/${organization.uid}`,
    ["web", "worker"].map((name) => machine(name)),
  );
  await open(`identities?group=${organization.uid}&contains=web&order=name+desc`);
  await expect(names(page)).toHaveText(["web"]);
  const button = page.getByRole("button", { name: "Views" });
  await button.click();
  const views = page.getByRole("dialog", { name: "Views" });
  await hasNoFinding(page, "[role=dialog]");
  await views.getByLabel("New view name").fill("Only web");
  await page.keyboard.press("Enter");
  await expect(views.getByRole("link", { name: "Only web" })).toHaveAttribute("aria-current", "page");
  await page.keyboard.press("Escape");
  await expect(button).toBeFocused();

  await open(`identities?group=${organization.uid}`);
  await expect(names(page)).toHaveCount(2);
  await button.click();
  await views.getByRole("button", { name: "Rename Only web" }).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Web servers");
  await page.keyboard.press("Enter");
  await views.getByRole("link", { name: "Web servers" }).click();
  await expect(views).toBeHidden();
  await expect(page).toHaveURL(
    /order=name(?:\+|%20)desc.*contains=web|contains=web.*order=name(?:\+|%20)desc/,
  );
  await expect(names(page)).toHaveText(["web"]);
  await button.click();
  await views.getByRole("button", { name: "Delete Web servers" }).click();
  await expect(views.getByText(/^Save the current filters/)).toBeVisible();
  await page.reload();
  await button.click();
  await expect(views.getByText(/^Save the current filters/)).toBeVisible();
});
