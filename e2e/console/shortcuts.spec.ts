import { expect, test } from "../fixtures";
import { param } from "../records";
import { makeRepo } from "../repos";

/** Runs in the page: presses the key of a button in the very task in which the button can first be pressed. */
function pressOnceOffered({ label, key }: { label: string; key: string }): void {
  const watch = new MutationObserver(() => {
    const buttons = document.querySelectorAll("main button:not([aria-disabled=true])");
    if (![...buttons].some(({ textContent }) => textContent?.trim() === label)) return;
    watch.disconnect();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  });
  watch.observe(document, { childList: true, subtree: true, attributes: true });
}

test("keys lead to lists, along rows, to forms and to the sheet that lists them, and can be switched off @engines", async ({
  person,
}) => {
  const { page, organization, open } = person;
  await Promise.all(["alpha", "beta", "gamma"].map((name) => makeRepo(person, { name })));
  await page.addInitScript(pressOnceOffered, { label: "Create folder", key: "c" });
  await open(`groups?group=${param(organization)}`);
  const drawer = page.getByRole("dialog", { name: "Create folder" });
  await expect(drawer).toBeVisible();
  // No shortcut works while a modal form is open.
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await expect(page.getByRole("heading", { name: "Repos", level: 1 })).toBeFocused();
  const row = (name: string) =>
    page.getByRole("table", { name: "Repos" }).getByRole("link", { name, exact: true });
  await expect(row("gamma")).toBeVisible();

  // One key each way between the search field and the rows.
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Search repos" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(row("alpha")).toBeFocused();
  await page.keyboard.press("f");
  await expect(page.getByRole("searchbox", { name: "Search folders" })).toBeFocused();
  await page.getByRole("heading", { name: "Repos", level: 1 }).focus();
  await page.keyboard.press("j");
  await expect(row("alpha")).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(row("gamma")).toBeFocused();
  // On the last row, `j` does nothing.
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await expect(row("beta")).toBeFocused();
  await page.keyboard.press("e");
  const edit = page.getByRole("dialog", { name: "Edit repo" });
  await expect(edit).toBeVisible();
  // On a form of a page of its own, single keys do nothing; the palette opens like by its button in the header.
  await edit.getByRole("heading", { level: 1 }).focus();
  await page.keyboard.press("?");
  await page.keyboard.press("c");
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("dialog", { name: "Search" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await expect(edit).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(edit).toBeHidden();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(row("beta")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "beta", level: 1 })).toBeFocused();

  await page.keyboard.press("g");
  await page.keyboard.press("i");
  await expect(page.getByRole("heading", { name: "Identities", level: 1 })).toBeFocused();
  await page.keyboard.press("/");
  const field = page.getByRole("search").locator("input").first();
  await expect(field).toBeFocused();
  // In a field they are letters.
  await page.keyboard.type("gr?c");
  await expect(field).toHaveValue("gr?c");
  await field.fill("");
  await page.getByRole("heading", { name: "Identities", level: 1 }).focus();
  await expect(page.getByRole("button", { name: "Create identity" }).first()).toBeEnabled();
  await page.keyboard.press("c");
  const create = page.getByRole("dialog", { name: "Create identity" });
  await expect(create).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(create).toBeHidden();

  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(sheet.getByText("Next row")).toBeVisible();
  await sheet.getByRole("checkbox", { name: "Use single-key shortcuts" }).uncheck();
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await page.keyboard.press("?");
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  // Ctrl or Cmd+K opens the palette; the letters before it did nothing.
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("dialog", { name: "Search" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { name: "Identities", level: 1 })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
