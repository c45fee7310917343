import type { Page } from "@playwright/test";

import { bind } from "../bindings";
import { expect, gate, test } from "../fixtures";
import { folder, param } from "../records";

/** The requests to the API from now on: method, path and query. */
function requestsOf(page: Page): string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (/^\/(?:iam|registry|advisory|audit)\//.test(pathname))
      sent.push(`${request.method()} ${pathname}${decodeURIComponent(search)}`);
  });
  return sent;
}

test(
  "the tree is walked by keyboard alone, and choosing a folder sets the scope",
  gate,
  async ({ person }) => {
    const { page, api, organization } = person;
    const alpha = await folder(api, organization, "alpha");
    await folder(api, alpha, "alpha-one");
    const two = await folder(api, alpha, "alpha-two");
    await folder(api, organization, "beta");
    await person.open("identities");

    const tree = page.getByRole("tree", { name: "Groups" });
    const node = (name: string) => tree.getByRole("treeitem", { name, exact: true });
    await expect(node("alpha")).toBeVisible();
    await node(organization.name).focus();
    await page.keyboard.press("ArrowDown");
    await expect(node("alpha")).toBeFocused();
    await page.keyboard.press("ArrowRight");
    await expect(node("alpha")).toHaveAttribute("aria-expanded", "true");
    await expect(node("alpha-two")).toBeVisible();
    await page.keyboard.press("ArrowRight");
    await expect(node("alpha-one")).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await expect(node("alpha-two")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`group=${param(two)}`));
    await expect(node("alpha-two")).toHaveAttribute("aria-selected", "true");

    await node("alpha-two").focus();
    await page.keyboard.press("ArrowLeft");
    await expect(node("alpha")).toBeFocused();
    await page.keyboard.press("ArrowLeft");
    await expect(node("alpha")).toHaveAttribute("aria-expanded", "false");
    await page.keyboard.press("End");
    await expect(node("beta")).toBeFocused();
    await page.keyboard.press("Home");
    await expect(node(organization.name)).toBeFocused();
  },
);

test("a deep link opens every folder above its scope @long", async ({ person }) => {
  const { page, api, organization } = person;
  let deepest = organization;
  for (const name of ["level-two", "level-three", "level-four", "level-five"])
    deepest = await folder(api, deepest, name);
  await person.open(`identities?group=${param(deepest)}`);
  const tree = page.getByRole("tree", { name: "Groups" });
  const chosen = tree.getByRole("treeitem", { name: "level-five", exact: true });
  await expect(chosen).toHaveAttribute("aria-selected", "true");
  await expect(chosen).toHaveAttribute("aria-level", "5");
  await expect(tree.getByRole("treeitem", { name: "level-three", exact: true })).toHaveAttribute(
    "aria-expanded",
    "true",
  );
  // The breadcrumb shows the same path, each step a link.
  await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toContainText("level-five");
});

test("what was expanded stays expanded after a reload @long", async ({ person }) => {
  const { page, api, organization } = person;
  const outer = await folder(api, organization, "outer");
  await folder(api, outer, "inner");
  await person.open("groups");
  const tree = page.getByRole("tree", { name: "Groups" });
  await tree.getByRole("treeitem", { name: "outer", exact: true }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(tree.getByRole("treeitem", { name: "inner", exact: true })).toBeVisible();
  await page.reload();
  await expect(tree.getByRole("treeitem", { name: "inner", exact: true })).toBeVisible();
});

test("opening a folder is one request, and opening it again none", async ({ person }) => {
  const { page, api, organization } = person;
  const outer = await folder(api, organization, "outer");
  const inner = await folder(api, outer, "inner");
  await folder(api, inner, "innermost");
  await person.open("identities");
  const tree = page.getByRole("tree", { name: "Groups" });
  const node = (name: string) => tree.getByRole("treeitem", { name, exact: true });
  await expect(node("outer")).toBeVisible();
  await page.waitForLoadState("networkidle");
  const sent = requestsOf(page);
  await node("outer").focus();
  await page.keyboard.press("ArrowRight");
  await expect(node("inner")).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(sent).toEqual([expect.stringContaining(`uidp.children_of=${outer.uid}&`)]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await expect(node("innermost")).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(sent).toHaveLength(2);
  // Known from one page of everything below the organization: it has no folders, so there is nothing to open.
  await expect(node("innermost")).not.toHaveAttribute("aria-expanded");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowRight");
  await expect(node("innermost")).toBeVisible();
  expect(sent).toHaveLength(2);
});

test(
  "a part of a name finds folders anywhere, by keyboard, and the tree shows the chosen one",
  gate,
  async ({ person }) => {
    const { page, api, organization } = person;
    const outer = await folder(api, organization, "outer");
    const inner = await folder(api, outer, "payments-api");
    await folder(api, organization, "pay");
    await person.open("identities");
    const search = page
      .getByRole("region", { name: "Scope" })
      .getByRole("searchbox", { name: "Search folders" });
    await search.fill("PAY");
    const found = page.getByRole("list", { name: "Groups found" });
    // The whole name first; below each name, where it is.
    await expect(found.getByRole("link")).toHaveText([
      "pay" + organization.name,
      `payments-api${organization.name} / outer`,
    ]);
    await expect(page.getByRole("group", { name: "Search of groups" })).toHaveText("2 of 4 groups");
    await search.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await expect(found.getByRole("link", { name: /payments-api/ })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`group=${param(inner)}`));
    await expect(found).toBeHidden();
    await expect(search).toHaveValue("");
    await expect(page.getByRole("treeitem", { name: "payments-api", exact: true })).toHaveAttribute(
      "aria-selected",
      "true",
    );
    await search.fill("nothing-like-this");
    await expect(page.getByRole("group", { name: "Search of groups" })).toHaveText("0 of 4 groups");
    await search.press("Escape");
    await expect(page.getByRole("tree", { name: "Groups" })).toBeVisible();
  },
);

test(
  "a folder's menu opens by key, and a new folder is shown in the tree and marked",
  gate,
  async ({ person }) => {
    const { page, api, organization } = person;
    const outer = await folder(api, organization, "outer");
    await folder(api, outer, "inner");
    await person.open("identities");
    const tree = page.getByRole("tree", { name: "Groups" });
    const node = (name: string) => tree.getByRole("treeitem", { name, exact: true });
    await node("outer").focus();
    await page.keyboard.press("Shift+F10");
    const menu = page.getByRole("menu", { name: "Actions for outer" });
    await expect(menu.getByRole("menuitem")).toHaveText([
      "Create folder",
      "Invite people",
      "Grant access",
      "Who has access",
      "Move…",
      "Rename",
      "Copy uid",
      "Delete with contents…",
    ]);
    await page.keyboard.press("Escape");
    await expect(node("outer")).toBeFocused();
    await page.keyboard.press("Shift+F10");
    await expect(menu.getByRole("menuitem", { name: "Create folder" })).toBeFocused();
    await page.keyboard.press("Enter");
    const form = page.getByRole("dialog", { name: "Create folder" });
    await form.getByLabel("Name").fill("newcomer");
    await page.keyboard.press("Enter");
    await expect(form).toBeHidden();
    // Nobody opened its parent: the tree did, and says that it is new.
    await expect(node("newcomer")).toBeVisible();
    await expect(node("newcomer")).toContainText("New");
    await expect(node("inner")).not.toContainText("New");

    await node("newcomer").hover();
    await node("newcomer").locator("[data-menu]").click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    const edit = page.getByRole("dialog", { name: "Edit folder" });
    await edit.getByLabel("Name").fill("resident");
    await edit.getByRole("button", { name: "Save changes" }).click();
    await expect(node("resident")).toContainText("Renamed");

    // Its place can't change: another one has to be chosen, where it is made again.
    await node("resident").focus();
    await page.keyboard.press("Shift+F10");
    await page.getByRole("menuitem", { name: "Move…" }).click();
    const move = page.getByRole("dialog", { name: "Move resident" });
    await expect(move.getByText("The API can't move a folder")).toBeVisible();
    await expect(move.getByRole("tree", { name: "All groups" })).toBeVisible();
  },
);

test("what a role lacks is disabled in a folder's menu, with the reason", async ({ person, signUp }) => {
  const { api, organization } = person;
  await folder(api, organization, "outer");
  const viewer = await signUp();
  await bind(api, organization, viewer, "viewer");
  await viewer.open("identities");
  const { page } = viewer;
  await page.getByRole("treeitem", { name: "outer", exact: true }).focus();
  await page.keyboard.press("Shift+F10");
  const item = (name: string) => page.getByRole("menuitem", { name });
  for (const name of ["Create folder", "Rename", "Grant access", "Delete with contents…"]) {
    await expect(item(name)).toHaveAttribute("aria-disabled", "true");
    await expect(item(name)).toContainText(/You need permission to/);
  }
  await expect(item("Copy uid")).not.toHaveAttribute("aria-disabled");
  await item("Who has access").click();
  await expect(page.getByRole("heading", { name: "outer", level: 1 })).toBeVisible();
});

test("the tree takes the height that it is given, by keyboard, and keeps it after a reload", async ({
  person,
}) => {
  const { page } = person;
  await person.open("identities");
  const tree = page.getByRole("region", { name: "Scope" });
  const height = async () => Math.round((await tree.boundingBox())?.height ?? 0);
  const line = page.getByRole("separator", { name: "Height of the tree" });
  await line.focus();
  await page.keyboard.press("End");
  const least = await height();
  await page.keyboard.press("Home");
  const most = await height();
  expect(most).toBeGreaterThan(least + 100);
  await expect(line).toHaveAttribute("aria-valuenow", String(most));
  await page.reload();
  await expect.poll(height).toBe(most);

  const screens = page.getByRole("navigation", { name: "Main" });
  await page.getByRole("button", { name: "Show only the tree" }).click();
  await expect(screens).toBeHidden();
  await page.reload();
  await expect(tree).toBeVisible();
  await expect(screens).toBeHidden();
  await page.getByRole("button", { name: "Show the screens again" }).click();
  await expect(screens).toBeVisible();
});

test("each step of the path opens what lies beside it, with a search over all folders", async ({
  person,
}) => {
  const { page, api, organization } = person;
  const outer = await folder(api, organization, "outer");
  const inner = await folder(api, outer, "inner");
  const sister = await folder(api, outer, "sister");
  const far = await folder(api, await folder(api, organization, "elsewhere"), "far-away");
  await person.open(`identities?group=${param(inner)}`);
  await page.getByRole("button", { name: "Folders beside inner" }).click();
  const panel = page.getByRole("dialog", { name: "Folders beside inner" });
  await expect(panel.getByRole("searchbox", { name: "Search folders" })).toBeFocused();
  await expect(panel.getByRole("link")).toHaveText(["inner", "sister"]);
  await expect(panel.getByRole("link", { name: "inner" })).toHaveAttribute("aria-current", "true");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(panel).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`group=${param(sister)}`));
  // The same list in the other scope, said once: the tree marks what the path names.
  await expect(page.getByRole("heading", { name: "Identities", level: 1 })).toBeVisible();
  await expect(page.getByRole("treeitem", { selected: true })).toHaveText("sister");

  await page.getByRole("button", { name: "Folders beside outer" }).click();
  await page.keyboard.type("far");
  await expect(page.getByRole("dialog").getByRole("link", { name: /far-away/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`group=${param(far)}`));

  // What was chosen last is offered where one begins, and in the forms.
  await page.getByRole("button", { name: /^Organization:/ }).click();
  await expect(page.getByRole("list", { name: "Recent folders" }).getByRole("link")).toContainText([
    "far-away",
    "sister",
    "inner",
  ]);
  await page.keyboard.press("Escape");
  await person.open("repos?drawer=create");
  await expect(page.getByLabel("Folder").getByRole("option")).toContainText([
    `${organization.name} / elsewhere / far-away`,
  ]);
});

test("of many folders a form lists the likely ones, and its last line leads to a search of all", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  for (const index of Array.from({ length: 54 }).keys())
    await folder(api, organization, `team-${String(index).padStart(2, "0")}`);
  await open(`repos?drawer=create&group=${organization.uid}`);
  const form = page.getByRole("dialog", { name: "Create repo" });
  const select = form.getByLabel(/^Folder/);
  const options = select.getByRole("option");
  await expect(options.first()).toHaveText(organization.name);
  await expect(options.last()).toHaveText(/^Type to search all 5\d groups…$/);
  // A page of them would look like all.
  await expect(options.filter({ hasText: "team-" })).toHaveCount(0);
  await select.selectOption({ label: (await options.last().textContent()) ?? "" });
  // Nothing was chosen by that.
  await expect(select).toHaveValue(organization.uid);
  await expect(form.getByRole("searchbox", { name: "Search folders" })).toBeFocused();
  await page.keyboard.type("team-53");
  await expect(form.getByRole("link", { name: /team-53/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(select.getByRole("option", { selected: true })).toHaveText(`${organization.name} / team-53`);

  await form.getByRole("button", { name: "Find a folder" }).click();
  await expect(form.getByRole("searchbox", { name: "Search folders" })).toBeFocused();
});

test("a folder's row in the list has what its menu in the tree has", async ({ person }) => {
  const { page, api, organization, open } = person;
  await folder(api, organization, "outer");
  await open(`groups?group=${organization.uid}`);
  await page.getByRole("button", { name: "Actions for outer" }).click();
  await expect(page.getByRole("menuitem").filter({ hasText: /^(Create|Invite|Grant|Who|Move)/ })).toHaveText([
    "Create folder",
    "Invite people",
    "Grant access",
    "Who has access",
    "Move…",
  ]);
  await page.getByRole("menuitem", { name: "Move…" }).click();
  const move = page.getByRole("dialog", { name: "Move outer" });
  await expect(move.getByRole("searchbox", { name: "Search folders" })).toBeFocused();
});
