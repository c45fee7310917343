import { AxeBuilder } from "@axe-core/playwright";
import type { Locator, Page } from "@playwright/test";

import type { Identity } from "platform-contract/iam/identities";

import type { Api } from "./api";
import type { FaultProxy } from "./fault-proxy";
import { expect } from "./fixtures";

/** Creates machines `<word>-000` and so on in a group; returns their uids. */
export async function createMachines(api: Api, group: string, count: number, word = "m"): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `${word}-${String(index).padStart(3, "0")}`);
  const left = [...names.entries()].toReversed();
  const uids: string[] = [];
  const create = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [index, name] = next;
      const claimMatch = { issuer: "https://issuer.example", subject: name };
      uids[index] = (await api.post<Identity>(`/iam/v2/identities/${group}`, { name, claimMatch })).uid;
    }
  };
  await Promise.all(Array.from({ length: 8 }, create));
  return uids;
}

export const table = (page: Page) => page.getByRole("table", { name: "Identities" });
export const pick = (page: Page, name: string) => page.getByRole("checkbox", { name, exact: true });
export const panel = (page: Page) => page.getByRole("region", { name: /^Delet(ing|ed) .*identities/ });
export const button = (within: Page | Locator, name: string) =>
  within.getByRole("button", { name, exact: true });
export const DELETES = { method: "DELETE", path: /\/identities\// };
/** The uids of all delete requests, in order. */
export const deletes = ({ seen }: FaultProxy) =>
  seen.filter(({ method }) => method === "DELETE").map(({ path }) => path.replace("/iam/v2/identities/", ""));

/** Deletes the selected rows and confirms. */
export async function confirmDeletion(page: Page, count: number, what = "identities"): Promise<void> {
  await button(page, `Delete ${count} ${what}`).click();
  const dialog = page.getByRole("dialog", { name: `Delete ${count} ${what}?` });
  const undoing = /tag|binding|invite/.test(what)
    ? "You can undo this afterwards: they are created again"
    : "This can't be undone.";
  await expect(dialog.getByText(undoing)).toBeVisible();
  await button(dialog, `Delete ${count} ${what}`).click();
  // Deleting identities always requires typing a confirmation.
  if (count > 10 || what.startsWith("identit")) {
    const asked = dialog.getByLabel(/^Type /);
    const name = dialog.getByRole("listitem").locator("bdi").first();
    await asked.fill(count === 1 ? await name.innerText() : String(count));
    await button(dialog, `Delete ${count} ${what}`).click();
  }
  await expect(dialog).toBeHidden();
}

export async function axe(page: Page, state: string): Promise<void> {
  const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(rules).analyze();
  expect
    .soft(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`),
      state,
    )
    .toEqual([]);
}
