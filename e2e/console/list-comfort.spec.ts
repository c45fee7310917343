import type { Page } from "@playwright/test";

import { bind } from "../bindings";
import { expect, test } from "../fixtures";
import { chooseTool, createAll, machine } from "../lists";

test("a selection is there again after a look at a record, without what was deleted meanwhile", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  const names = ["alpha", "beta", "gamma"];
  await createAll(
    api,
    `/iam/v2/identities/${organization.uid}`,
    names.map((name) => machine(name)),
  );
  await open(`identities?group=${organization.uid}`);
  const list = page.getByRole("table", { name: "Identities" });
  for (const name of ["alpha", "beta"]) await list.getByRole("checkbox", { name: `Select ${name}` }).check();
  const bar = page.getByRole("group", { name: "Selection" });
  await list.getByRole("link", { name: "gamma" }).click();
  await expect(page.getByRole("heading", { name: "gamma", level: 1 })).toBeVisible();
  await page.goBack();
  await expect(bar.getByText("2 selected")).toBeVisible();
  await expect(list.getByRole("checkbox", { name: "Select alpha" })).toBeChecked();
  await expect(list.getByRole("checkbox", { name: "Select gamma" })).not.toBeChecked();

  await list.getByRole("link", { name: "beta" }).click();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(list.getByRole("link", { name: "alpha" })).toBeVisible();
  // The page of the record was replaced by the list; the entry before it is the list with the selection.
  await page.goBack();
  await expect(bar.getByText("1 selected")).toBeVisible();

  // Another way to the list is another visit.
  await page.getByRole("link", { name: "Overview" }).first().click();
  await expect(page.getByRole("heading", { name: organization.name, level: 1 })).toBeVisible();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Identities" }).click();
  await expect(list.getByRole("link", { name: "alpha" })).toBeVisible();
  await expect(bar).toBeHidden();
});

test("columns get the width that they were dragged to, by pointer or keyboard, and keep it", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  await api.post(`/iam/v2/identities/${organization.uid}`, machine("one"));
  await open(`identities?group=${organization.uid}`);
  const header = page.getByRole("columnheader", { name: "Type" });
  const width = async () => Math.round((await header.boundingBox())?.width ?? 0);
  const box = await header.boundingBox();
  const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) - 3, (box?.y ?? 0) + 10];
  const before = await width();
  const dragged = 40;
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + dragged, y, { steps: 4 });
  await page.mouse.up();
  const wider = before + dragged;
  expect(await width()).toBe(wider);

  await page.getByRole("button", { name: "Choose columns" }).focus();
  await page.keyboard.press("Enter");
  const narrower = page.getByRole("button", { name: "Make Type narrower" });
  await narrower.focus();
  await page.keyboard.press("Enter");
  const step = wider - (await width());
  expect(step).toBeGreaterThan(0);
  await page.keyboard.press("Enter");
  expect(await width()).toBe(wider - 2 * step);
  await page.getByRole("button", { name: "Make Type wider" }).focus();
  await page.keyboard.press("Enter");
  expect(await width()).toBe(wider - step);
  await page.keyboard.press("Escape");
  await page.reload();
  await expect(page.getByRole("link", { name: "one" })).toBeVisible();
  expect(await width()).toBe(wider - step);
  await page.getByRole("button", { name: "Choose columns" }).click();
  await page.getByRole("button", { name: "Reset columns" }).click();
  expect(await width()).toBe(before);
});

test.describe("elsewhere", () => {
  // Wide enough for the column of creation times.
  test.use({ timezoneId: "Asia/Tokyo", viewport: { width: 1800, height: 1000 } });

  test("exact times are in UTC or in one's own zone, on hover and as a copy", async ({ person }) => {
    const { page, api, organization, open, context } = person;
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const made = await api.post<{ createTime: string }>(
      `/iam/v2/identities/${organization.uid}`,
      machine("clock"),
    );
    const utc = made.createTime.slice(0, 19).replace("T", " ");
    const tokyo = new Date(Date.parse(made.createTime) + 9 * 3_600_000).toISOString();
    await open(`identities?group=${organization.uid}`);
    const copied = async () => {
      await page.getByRole("button", { name: "Actions for clock" }).click();
      await page.getByRole("menuitem", { name: "Copy exact times" }).click();
      await expect(page.getByText("Copied the times").last()).toBeVisible();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    expect(await copied()).toContain(`Created: ${utc} UTC`);
    await page.getByRole("button", { name: /^Your account/ }).click();
    await page.getByRole("link", { name: "Preferences" }).click();
    await page.getByRole("radio", { name: "Local (Asia/Tokyo)" }).check();
    await page.goBack();
    expect(await copied()).toContain(`Created: ${tokyo.slice(0, 19).replace("T", " ")} GMT+9`);
    await page.reload();
    await page
      .getByRole("table", { name: "Identities" })
      .getByText(/just now|minutes? ago/)
      .last()
      .hover({ force: true });
    await expect(page.getByRole("tooltip")).toHaveText(/GMT\+9$/);
  });
});

test("a link brings its columns, which the reader can change", async ({ person, signUp }) => {
  const { page, api, organization, open, context } = person;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await api.post(`/iam/v2/identities/${organization.uid}`, machine("one", "told in words"));
  await open(`identities?group=${organization.uid}`);
  const choose = (of: Page, name: string) =>
    of.getByRole("dialog", { name: "Columns" }).getByLabel(name, { exact: true });
  await page.getByRole("button", { name: "Choose columns" }).click();
  await choose(page, "Description").check();
  await choose(page, "Created").uncheck();
  await page.keyboard.press("Escape");
  await chooseTool(page, "Copy link to this view");
  await expect(page.getByText("Copied the link").last()).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());

  const reader = await signUp();
  await bind(api, organization, reader, "viewer");
  await reader.open(link);
  const heading = (name: string) => reader.page.getByRole("columnheader", { name });
  await expect(heading("Description")).toBeVisible();
  await expect(heading("Created")).toBeHidden();
  await reader.page.getByRole("button", { name: "Choose columns" }).click();
  await choose(reader.page, "Folder").uncheck();
  await choose(reader.page, "Created").check();
  await expect(heading("Created")).toBeVisible();
  await expect(heading("Description")).toBeVisible();
  expect(new URL(reader.page.url()).searchParams.has("columns")).toBe(false);
});
