import type { Locator, Page } from "@playwright/test";

import type { Api } from "./api";
import { expect } from "./fixtures";

/** What the console says of the deletions that are under way, and of those that have just ended. */
export const deletions = (page: Page): Locator => page.getByRole("list", { name: "Deletions" });

/** Chooses "Delete" in the menu of a row. */
export async function chooseDelete(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
}

/** As if the person had chosen to be asked before every deletion; before the first one of the page. */
export const askFirst = (page: Page, { who: { issuer, subject } }: Api): Promise<void> =>
  page.evaluate(
    (key) => localStorage.setItem(key, "yes"),
    `pc.ask-before-delete ${JSON.stringify([issuer, subject])}`,
  );

/** Whether the service has a record, by the path of its request. */
export async function exists(api: Api, path: string): Promise<boolean> {
  try {
    await api.get(path);
    return true;
  } catch {
    expect((await api.refusal("GET", path)).http).toBe(404);
    return false;
  }
}

/** Deletes a record that nothing depends on, and waits until the service has said so. */
export async function deleteLeaf(page: Page, noun: string, name: string): Promise<void> {
  await chooseDelete(page, name);
  await expect(deletions(page).getByText(`Deleting ${noun} ${name}…`)).toBeVisible();
  await expect(deletions(page).getByText(`Deleted ${noun} ${name}`)).toBeVisible();
}
