import type { Locator, Page } from "@playwright/test";

import type { Api } from "./api";
import { expect } from "./fixtures";

/** The panel of deletions in progress and just finished. */
export const deletions = (page: Page): Locator => page.getByRole("list", { name: "Deletions" });

/** Chooses "Delete" in the menu of a row. */
export async function chooseDelete(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
}

/** Turns on the "ask before delete" setting. Call before the page's first deletion. */
export const askFirst = (page: Page, { who: { issuer, subject } }: Api): Promise<void> =>
  page.evaluate(
    (key) => localStorage.setItem(key, "yes"),
    `pc.ask-before-delete ${JSON.stringify([issuer, subject])}`,
  );

/** True if the service has the record at this API path. */
export async function exists(api: Api, path: string): Promise<boolean> {
  try {
    await api.get(path);
    return true;
  } catch {
    expect((await api.refusal("GET", path)).http).toBe(404);
    return false;
  }
}

/** Deletes a record without dependents and waits for the confirmation. `of`: where the panel says that it is. */
export async function deleteLeaf(page: Page, noun: string, name: string, of = ""): Promise<void> {
  await chooseDelete(page, name);
  await expect(deletions(page).getByText(`Deleting ${noun} ${name}${of}…`)).toBeVisible();
  await expect(deletions(page).getByText(`Deleted ${noun} ${name}${of}`)).toBeVisible();
}
