import { expect, type Page } from "@playwright/test";

/** Number of screens in one round of `tour`. */
export const SCREENS = 9;

/**
 * One round through the console by its own links: nine screens, with the dialogs on them. Can begin on any screen.
 * `group` and `identity` are names in the first rows of the lists.
 */
export async function tour(page: Page, group: string, identity: string): Promise<void> {
  const main = page.getByRole("navigation", { name: "Main" });
  const heading = (name: string | RegExp) =>
    expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  const list = async (name: string) => {
    await main.getByRole("link", { name }).click();
    await heading(name);
    return page.getByRole("table", { name });
  };
  const groups = await list("Groups");
  await groups.getByRole("link", { name: group, exact: true }).click();
  await heading(group);
  await page.getByRole("button", { name: "Edit" }).click();
  await expect(page.getByRole("dialog", { name: /^Edit/ })).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();

  const identities = await list("Identities");
  await identities.getByRole("columnheader", { name: "Name" }).getByRole("button").click();
  await expect(page).toHaveURL(/order=name/);
  await page.goBack();
  await identities.getByRole("button", { name: `Actions for ${identity}` }).click();
  await page.keyboard.press("Escape");
  await identities.getByRole("link", { name: identity, exact: true }).click();
  await heading(identity);
  await page.goBack();
  await heading("Identities");
  await expect(await list("People")).toBeVisible();
  await main.getByRole("link", { name: "Overview" }).click();
  await expect(page.getByRole("heading", { name: "Your access" })).toBeVisible();
}
