import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Locator, type Page } from "@playwright/test";

import type { Api } from "./api";

/** A machine identity that no token matches. */
export const machine = (name: string, description = "") => ({
  name,
  description,
  claimMatch: { issuer: "https://issuer.example", subject: name },
});

/** Creates all in parallel, in no particular order. */
export async function createAll(api: Api, path: string, bodies: readonly object[]): Promise<void> {
  const left = [...bodies];
  const create = async (): Promise<void> => {
    for (let body = left.pop(); body; body = left.pop()) await api.post(path, body);
  };
  await Promise.all(Array.from({ length: 8 }, create));
}

/** Returns all rows of a list, from the API. */
export async function allOf<T>(api: Api, collection: string, query: Record<string, string>): Promise<T[]> {
  const rows: T[] = [];
  let token = "";
  do {
    const asked = new URLSearchParams({ ...query, page_size: "200", ...(token && { page_token: token }) });
    const page = await api.get<Record<string, unknown>>(`/iam/v2/${collection}?${asked.toString()}`);
    rows.push(...(page[collection] as T[]));
    token = String(page["nextPageToken"] ?? "");
  } while (token !== "");
  return rows;
}

/** Opens the panel of the filters that are not always visible. */
export async function openFilters(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "Add filter" }).click();
  return page.getByRole("dialog", { name: "Filters" });
}

/** Enters a text into the search field of a list and presses Enter. */
export async function searchList(page: Page, text: string): Promise<void> {
  const field = page.getByRole("search").getByRole("searchbox");
  await field.fill(text);
  await field.press("Enter");
}

/** Chooses an item of the list's "More" menu. */
export async function chooseTool(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "More for this list" }).click();
  await page.getByRole("menuitem", { name }).click();
}

/** Asserts that axe finds no violation in a part of the page. */
export async function hasNoFinding(page: Page, inside: string): Promise<void> {
  // Rows of the previous view are dimmed until the new ones arrive.
  await expect(page.locator("[data-stale]")).toHaveCount(0);
  // Legacy mode: without it, axe opens a page for each call, to merge results from frames, of which there are none.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const { violations } = await axe.include(inside).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`)).toEqual(
    [],
  );
}
