import type { Group } from "platform-contract/iam/groups";
import type { Identity } from "platform-contract/iam/identities";

import { deletions } from "../deletions";
import { address } from "../api";
import { expect, test } from "../fixtures";
import { Keyboard } from "../keyboard";

test("signing in, walking the tree, reading a list, and signing out take no pointer @long @engines", async ({
  person,
  browser,
  problems,
}) => {
  // The focus is checked after every key.
  test.slow();
  const { api, organization } = person;
  const team = await api.post<Group>(`/iam/v2/groups/${organization.uid}`, { name: "team" });
  const made = Array.from({ length: 60 }, (_, index) =>
    api.post(`/iam/v2/identities/${team.uid}`, {
      name: `ci-${String(index).padStart(2, "0")}`,
      claimMatch: { issuer: "https://issuer.example", subject: `ci-${index}` },
    }),
  );
  await Promise.all(made);
  const context = await browser.newContext();
  await problems.watch(context);
  const page = await context.newPage();
  const keys = new Keyboard(page);
  await page.goto(address());
  await keys.walkTo(page.getByLabel("Email"));
  await keys.type(person.email);
  await keys.press("Tab");
  await expect(page.getByLabel("Password")).toBeFocused();
  await keys.type(person.password);
  await keys.leave("Enter");
  await expect(page.getByRole("heading", { name: "Your access" })).toBeVisible();

  // Skip the navigation, then return to it.
  await keys.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await keys.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await keys.walkTo(page.getByRole("treeitem", { name: organization.name, exact: true }), "Shift+Tab");
  // The organization opens by itself; until its folders are there, the key leads nowhere.
  await expect(page.getByRole("treeitem", { name: "team", exact: true })).toBeVisible();
  await keys.press("ArrowDown");
  await expect(page.getByRole("treeitem", { name: "team", exact: true })).toBeFocused();
  await keys.press("Enter");
  await expect(page.getByRole("treeitem", { name: "team", exact: true })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await keys.walkTo(
    page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Identities" }),
    "Shift+Tab",
  );
  await keys.press("Enter");
  await expect(page.getByRole("heading", { name: "Identities", level: 1 })).toBeFocused();
  const table = page.getByRole("table", { name: "Identities" });
  const row = (name: string) => table.getByRole("link", { name, exact: true });
  await expect(row("ci-00")).toBeVisible();

  // The list: sort order, last and first row, jump to a row by number.
  const byName = table.getByRole("button", { name: "Name" });
  await keys.walkTo(byName);
  await keys.press("Space");
  await expect(table.getByRole("columnheader", { name: "Name" })).toHaveAttribute("aria-sort", "descending");
  await expect(row("ci-59")).toBeVisible();
  await expect(byName).toBeFocused();
  await keys.press("Enter");
  await expect(row("ci-00")).toBeVisible();
  await keys.walkTo(table, "Shift+Tab");
  await keys.press("End");
  await expect(row("ci-59")).toBeVisible();
  await keys.press("Home");
  await expect(row("ci-00")).toBeVisible();
  // Arrow keys move between rows; Tab stops at one row only, not at all sixty.
  await keys.walkTo(row("ci-00"));
  await keys.press("ArrowDown", 12);
  await expect(row("ci-12")).toBeFocused();
  await keys.press("ArrowUp");
  await keys.walkTo(page.getByLabel("Jump to row"));
  await keys.press("Shift+Tab", 3);
  await expect(table.locator(":focus")).toHaveAccessibleName(/^Actions for ci-/);
  await keys.walkTo(page.getByLabel("Jump to row"));
  await keys.type("50");
  await keys.press("Enter");
  await expect(row("ci-49")).toBeVisible();

  // Filters, and clearing one that matches nothing.
  const filter = page.getByRole("searchbox", { name: "Search identities" });
  await keys.walkTo(filter, "Shift+Tab");
  await keys.type("ci-07");
  await keys.press("Enter");
  await expect(row("ci-06")).toBeHidden();
  await expect(row("ci-07")).toBeVisible();
  await keys.type("0");
  await keys.press("Enter");
  await keys.walkTo(page.getByRole("button", { name: "Clear filter", exact: true }));
  await keys.press("Enter");
  await expect(row("ci-00")).toBeVisible();
  await expect(filter).toHaveValue("");
  await expect(page.getByRole("search")).toBeFocused();
  await keys.walkTo(page.getByRole("combobox", { name: "Type" }));
  await keys.type("static");
  await expect(page).toHaveURL(/kind=keys/);
  await keys.press("Home");
  await expect(row("ci-00")).toBeVisible();
  await keys.walkTo(page.getByRole("link", { name: "People" }), "Shift+Tab");
  await keys.press("Enter");
  await expect(page.getByRole("table", { name: "People" })).toBeVisible();

  // Open and close what the header offers.
  const switcher = page.getByRole("button", { name: /^Organization:/ });
  await keys.walkTo(switcher, "Shift+Tab");
  await keys.press("Enter");
  await expect(page.getByRole("dialog", { name: "Organizations" })).toBeVisible();
  await keys.press("Escape");
  await expect(switcher).toBeFocused();
  await keys.walkTo(page.getByRole("button", { name: /^Your account/ }));
  await keys.press("Space");
  await keys.walkTo(page.getByRole("button", { name: "Sign out" }));
  await keys.leave("Enter");
  await expect(page.getByRole("heading", { name: "You're signed out" })).toBeVisible();
  await keys.walkTo(page.getByRole("button", { name: "Sign in" }));
  await keys.leave("Enter");
  await expect(page.getByLabel("Password")).toBeVisible();
  await context.close();
});

test("an identity is created after a refusal, edited, and deleted, and the focus is always somewhere @long @engines", async ({
  person,
  problems,
}) => {
  test.slow();
  problems.allow(/status of 400 .*\/iam\/v2\/identities\//);
  const { page, api, organization, open } = person;
  const keys = new Keyboard(page);
  await open(`identities?group=${organization.uid}`);
  const creating = page.getByRole("button", { name: "Create identity" }).first();
  await keys.walkTo(creating);
  await keys.press("Enter");
  const drawer = page.getByRole("dialog", { name: "Create identity" });
  await expect(drawer.getByRole("radio", { checked: true })).toBeFocused();
  // Escape returns the focus to the button that opened the drawer.
  await keys.press("Escape");
  await expect(creating).toBeFocused();
  await keys.press("Space");
  await expect(drawer.getByRole("radio", { checked: true })).toBeFocused();
  while (!(await drawer.getByRole("radio", { name: /OIDC claims/ }).isChecked()))
    await keys.press("ArrowDown");
  await keys.walkTo(drawer.getByRole("textbox", { name: "Name", exact: true }));
  await keys.type("deployer");
  await keys.walkTo(drawer.getByRole("textbox", { name: "Issuer", exact: true }));
  await keys.type(api.who.issuer);
  await keys.walkTo(drawer.getByLabel("Subject matches"));
  await keys.type("by pattern");
  await keys.walkTo(drawer.getByLabel("Subject pattern"), "Shift+Tab");
  await keys.type(".*");
  await keys.press("Enter");
  // The service rejects the value: the error is below the field, and the field has the focus.
  await expect(drawer.getByText("People of this service cannot be matched by claims")).toBeVisible();
  await expect(drawer.getByRole("textbox", { name: "Issuer", exact: true })).toBeFocused();
  await keys.press("ControlOrMeta+a");
  await keys.type("https://issuer.example");
  await keys.walkTo(drawer.getByRole("button", { name: "Create identity" }));
  await keys.press("Enter");
  await expect(drawer).toBeHidden();
  await expect(creating).toBeFocused();

  // The row's menu, by arrow keys; the drawer it opens returns the focus to the menu's button.
  const menu = page.getByRole("button", { name: "Actions for deployer" });
  await keys.walkTo(menu);
  await keys.press("ArrowDown");
  await expect(page.getByRole("menuitem").first()).toBeFocused();
  await keys.press("Escape");
  await expect(menu).toBeFocused();
  await keys.press("Enter");
  await keys.walkTo(page.getByRole("menuitem", { name: "Edit" }), "ArrowDown");
  await keys.press("Enter");
  const edit = page.getByRole("dialog", { name: "Edit identity" });
  await keys.walkTo(edit.getByLabel("Description"));
  await keys.type("Half");
  // Closing an edited form asks first, then returns to the same field.
  await keys.press("Escape");
  const ask = page.getByRole("dialog", { name: /Discard/ });
  await expect(ask.getByRole("button", { name: "Keep editing" })).toBeFocused();
  await keys.press("Enter");
  await expect(edit.getByLabel("Description")).toBeFocused();
  await keys.type(" and whole");
  await keys.walkTo(edit.getByRole("button", { name: "Save changes" }));
  await keys.press("Enter");
  await expect(edit).toBeHidden();
  await expect(menu).toBeFocused();

  // Open the record and go back: there the heading has the focus, here the row.
  await keys.walkTo(page.getByRole("link", { name: "deployer", exact: true }), "Shift+Tab");
  await keys.press("Enter");
  await expect(page.getByRole("heading", { name: "deployer", level: 1 })).toBeFocused();
  const { identities } = await api.get<{ identities: Identity[] }>("/iam/v2/identities?name=deployer");
  expect(identities[0]?.description).toBe("Half and whole");
  await keys.walkTo(
    page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Identities" }),
    "Shift+Tab",
  );
  await keys.press("Enter");
  await expect(page.getByRole("heading", { name: "Identities", level: 1 })).toBeFocused();

  // That was the only row: the empty state's heading receives the focus, with the next action after it.
  const link = page.getByRole("link", { name: "deployer", exact: true });
  const nothing = page.getByRole("heading", { name: "No identities here yet" });
  const remove = async (): Promise<void> => {
    await keys.walkTo(menu);
    await keys.press("ArrowDown");
    await keys.press("End");
    await keys.press("Enter");
  };
  await remove();
  await expect(nothing).toBeFocused();
  await expect(link).toBeHidden();
  await keys.press("ControlOrMeta+z");
  await expect(link).toBeVisible();
  await remove();
  // It can be undone for a while first.
  await expect(deletions(page).getByText("Deleted identity deployer")).toBeVisible({ timeout: 30_000 });
  await expect(link).toBeHidden();
  expect((await api.refusal("GET", `/iam/v2/identities/${identities[0]?.uid}`)).http).toBe(404);
});
