import { expect, test } from "./fixtures";
import { folder, param } from "./records";

test("the tree is walked by keyboard alone, and choosing a folder sets the scope", async ({ person }) => {
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
});

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
