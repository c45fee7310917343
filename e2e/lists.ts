import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Locator, type Page } from "@playwright/test";

import type { Api } from "./api";

/** A machine identity that no token matches. */
export const machine = (name: string, description = "") => ({
  name,
  description,
  claimMatch: { issuer: "https://issuer.example", subject: name },
});

/** Side by side, in no order. */
export async function createAll(api: Api, path: string, bodies: readonly object[]): Promise<void> {
  const left = [...bodies];
  const create = async (): Promise<void> => {
    for (let body = left.pop(); body; body = left.pop()) await api.post(path, body);
  };
  await Promise.all(Array.from({ length: 8 }, create));
}

/** All rows of a list as the API has them. */
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

/** The panel of the filters that are not always on screen. */
export async function openFilters(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "Add filter" }).click();
  return page.getByRole("dialog", { name: "Filters" });
}

/** Puts a text into the search field of a list, as somebody does. */
export async function searchList(page: Page, text: string): Promise<void> {
  const field = page.getByRole("search").getByRole("searchbox");
  await field.fill(text);
  await field.press("Enter");
}

/** From the menu of a list's tools. */
export async function chooseTool(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "More for this list" }).click();
  await page.getByRole("menuitem", { name }).click();
}

/** What axe finds in a part of the page that is open. */
export async function hasNoFinding(page: Page, inside: string): Promise<void> {
  // Rows of the view before are dimmed until those of this one are there.
  await expect(page.locator("[data-stale]")).toHaveCount(0);
  const { violations } = await new AxeBuilder({ page }).include(inside).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`)).toEqual(
    [],
  );
}
