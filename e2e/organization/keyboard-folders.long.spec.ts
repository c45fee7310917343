import { expect, test } from "../fixtures";
import { Keyboard } from "../keyboard";

test("folders are made and deleted by keyboard, also where the navigation is a drawer", async ({
  person,
}) => {
  test.slow();
  const { page, api, organization, open } = person;
  for (const name of ["alpha", "beta", "gamma"])
    await api.post(`/iam/v2/groups/${organization.uid}`, { name });
  await page.setViewportSize({ width: 800, height: 700 });
  // A busy browser reports late, after the next key press, that Escape has closed a dialog.
  await page.addInitScript(() =>
    window.addEventListener(
      "close",
      (event) => {
        if (!event.isTrusted) return;
        event.stopImmediatePropagation();
        setTimeout(() => event.target?.dispatchEvent(new Event("close")), 500);
      },
      true,
    ),
  );
  const keys = new Keyboard(page);
  await open("groups");
  const opener = page.getByRole("button", { name: "Show navigation" });
  await keys.walkTo(opener);
  await keys.press("Enter");
  const drawer = page.getByRole("dialog", { name: "Navigation" });
  await expect(drawer).toBeVisible();
  await keys.press("Escape");
  await expect(drawer).toBeHidden();
  await expect(opener).toBeFocused();
  await keys.press("Space");
  await keys.walkTo(drawer.getByRole("treeitem", { name: organization.name, exact: true }));
  await keys.press("ArrowDown");
  // One letter only: whether several letters form one search depends on timing.
  await keys.press("g");
  await expect(drawer.getByRole("treeitem", { name: "gamma", exact: true })).toBeFocused();
  await keys.press("Home");
  await keys.press("Enter");
  await expect(drawer).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`group=${organization.uid}`));

  const creating = page.getByRole("button", { name: "Create folder" });
  await keys.walkTo(creating);
  await keys.press("Enter");
  const form = page.getByRole("dialog", { name: "Create folder" });
  await expect(form.getByLabel("Name")).toBeFocused();
  await keys.type("ab");
  await keys.press("Enter");
  await expect(form.getByText("Must be 3 to 63 characters long")).toBeVisible();
  await expect(form.getByLabel("Name")).toBeFocused();
  await keys.type("acus");
  await keys.press("Enter");
  await expect(form).toBeHidden();
  await expect(creating).toBeFocused();

  const table = page.getByRole("table", { name: "Groups" });
  const menu = table.getByRole("button", { name: "Actions for beta" });
  const row = (name: string) => table.getByRole("link", { name, exact: true });
  await keys.walkTo(row("abacus"));
  await keys.press("ArrowDown", 2);
  await expect(row("beta")).toBeFocused();
  await keys.walkTo(menu);
  await keys.press("Enter");
  await keys.press("ArrowUp");
  await expect(page.getByRole("menuitem", { name: "Delete" })).toBeFocused();
  await keys.press("Enter");
  const confirm = page.getByRole("dialog", { name: "Delete folder beta?" });
  await expect(confirm.getByRole("button", { name: "Cancel" })).toBeFocused();
  await keys.press("Escape");
  await expect(menu).toBeFocused();
  await keys.press("Enter");
  await keys.press("End");
  await keys.press("Enter");
  await keys.walkTo(confirm.getByLabel(/Type the name/), "Shift+Tab");
  await keys.type("beta");
  await keys.walkTo(confirm.getByRole("button", { name: "Delete folder" }));
  await keys.press("Space");
  await expect(confirm).toBeHidden();
  // Its row is gone, and the focus moves to the list.
  await expect(row("beta")).toBeHidden();
  await expect(table).toBeFocused();
  await keys.walkTo(row("abacus"));
  await keys.press("ArrowDown", 2);
  await expect(row("gamma")).toBeFocused();
  await keys.press("Enter");
  await expect(page.getByRole("heading", { name: "gamma", level: 1 })).toBeFocused();
});
