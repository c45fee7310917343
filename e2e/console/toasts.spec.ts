import type { Locator, Page } from "@playwright/test";

import { expect, test } from "../fixtures";
import { button, confirmDeletion, createMachines, pick } from "../bulk-delete";

test.use({ viewport: { width: 390, height: 844 } });

/** The whole box of each toast. */
const toast = (page: Page) =>
  page
    .getByRole("status", { name: "Notifications" })
    .getByRole("button", { name: "Dismiss" })
    .locator("xpath=..");

/** True if a click at the center of the element would hit it. */
const isOpen = (at: Locator): Promise<boolean> =>
  at.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });

/** Asserts that no toast covers any part of the buttons. */
async function expectClear(page: Page, buttons: Locator): Promise<void> {
  await expect(toast(page).first()).toBeVisible();
  const boxes = await Promise.all((await toast(page).all()).map((each) => each.boundingBox()));
  for (const each of await buttons.all()) {
    const name = await each.textContent();
    const box = await each.boundingBox();
    if (!box) continue;
    for (const over of boxes)
      expect(over && over.y < box.y + box.height && box.y < over.y + over.height, name ?? "").toBe(false);
    expect(await isOpen(each), name ?? "").toBe(true);
  }
}

async function copyUid(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Copy uid" }).click();
}

test("what has just happened covers nothing that can be done next, in the narrowest window @long", async ({
  person,
}) => {
  const { page, context, api, organization, open } = person;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await createMachines(api, organization.uid, 3);
  await open(`identities?group=${organization.uid}`);

  // In the header: it covers neither the row it is about nor any field.
  await copyUid(page, "m-000");
  await expect(toast(page)).toBeVisible();
  const bottom = async () => {
    const { y = 0, height = 844 } = (await toast(page).first().boundingBox()) ?? {};
    return y + height;
  };
  await expect.poll(bottom).toBeLessThanOrEqual(48);

  await pick(page, "Select m-000").check();
  await copyUid(page, "m-000");
  await expectClear(page, page.getByRole("group", { name: "Selection" }).getByRole("button"));
  await page.getByRole("button", { name: "Clear" }).click();

  await page.getByRole("button", { name: "Create identity" }).first().click();
  const drawer = page.getByRole("dialog", { name: "Create identity" });
  await expect(drawer.getByRole("button", { name: "Cancel" })).toBeVisible();
  await expectClear(page, drawer.getByRole("button", { name: /^(Create identity|Cancel)$/ }));
  await drawer.getByRole("button", { name: "Cancel" }).click();
  await expect(drawer).toBeHidden();

  await pick(page, "Select m-001").check();
  await confirmDeletion(page, 1, "identity");
  const job = page.getByRole("region", { name: "Deleted 1 identity" });
  await expect(button(job, "Close")).toBeVisible();
  await copyUid(page, "m-000");
  await expectClear(page, job.getByRole("button"));
});

test("toasts cover neither the row that they speak of nor the field that is typed in @long", async ({
  person,
}) => {
  const { page, context, api, organization, open } = person;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await createMachines(api, organization.uid, 30);
  await open(`identities?group=${organization.uid}`);
  await page.getByRole("grid").or(page.getByRole("table")).getByRole("link", { name: "m-000" }).focus();
  await page.keyboard.press("End");
  const row = page.getByRole("row", { name: /m-029/ });
  await expect(row).toBeVisible();
  for (let turn = 0; turn < 3; turn += 1) await copyUid(page, "m-029");
  await expect(toast(page)).toHaveCount(3);
  // Toasts stay while the pointer is over them.
  await toast(page).first().hover();
  // The row's height can have a fractional pixel.
  await expect(row).toBeInViewport({ ratio: 0.99 });
  await expectClear(page, row);

  await page.getByRole("button", { name: "Create identity" }).first().click();
  const drawer = page.getByRole("dialog", { name: "Create identity" });
  await expect(drawer.getByRole("radio").first()).toBeFocused();
  await expectClear(page, drawer.locator(":focus"));
  // Scroll the form to its middle.
  await drawer.getByRole("textbox", { name: "Name", exact: true }).click();
  await page.keyboard.type("ci");
  await expectClear(page, drawer.locator(":focus"));
});
