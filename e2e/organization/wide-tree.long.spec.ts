import type { Page } from "@playwright/test";

import type { Group } from "platform-contract/iam/groups";

import type { Api } from "../api";
import { expect, test } from "../fixtures";
import { folder, param } from "../records";

const SIBLINGS = 10_000;
/** What the contract allows, the organization included. */
const LEVELS = 32;

const nameOf = (index: number): string => `team-${String(index).padStart(5, "0")}`;

async function createSiblings(api: Api, parent: Group): Promise<void> {
  const numbers = Array.from({ length: SIBLINGS }, (_, index) => index).values();
  const create = async (): Promise<void> => {
    for (const index of numbers) await folder(api, parent, nameOf(index));
  };
  await Promise.all(Array.from({ length: 8 }, create));
}

function groupRequests(page: Page): URLSearchParams[] {
  const sent: URLSearchParams[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.startsWith("/iam/v2/groups")) sent.push(searchParams);
  });
  return sent;
}

test("10,000 folders side by side open with one request, scroll page by page, and are found by name", async ({
  person,
}) => {
  test.setTimeout(900_000);
  const { page, api, organization } = person;
  const wide = await folder(api, organization, "wide");
  await createSiblings(api, wide);
  await person.open("identities");
  const tree = page.getByRole("tree", { name: "Groups" });
  const node = (name: string) => tree.getByRole("treeitem", { name, exact: true });
  await expect(node("wide")).toBeVisible();
  await page.waitForLoadState("networkidle");
  const sent = groupRequests(page);

  await node("wide").focus();
  await page.keyboard.press("ArrowRight");
  await expect(node(nameOf(0))).toHaveAttribute("aria-setsize", String(SIBLINGS));
  await page.waitForLoadState("networkidle");
  expect(sent.map((query) => query.get("uidp.children_of"))).toEqual([wide.uid]);
  // Only what is in view is in the document.
  expect(await tree.getByRole("treeitem").count()).toBeLessThan(60);

  // To the end of what is loaded, by key: each press reads one more page.
  const size = Number(sent[0]?.get("page_size"));
  for (let pages = 2; pages <= 4; pages += 1) {
    await page.keyboard.press("End");
    await expect.poll(() => sent.length).toBe(pages);
    // Its first row follows the focused one.
    await expect(node(nameOf(size * (pages - 1)))).toBeAttached();
    expect(sent).toHaveLength(pages);
    expect(await tree.getByRole("treeitem").count()).toBeLessThan(60);
  }
  await page.keyboard.press("Home");
  await expect(node(organization.name)).toBeFocused();

  // A part of a name on a page that the tree has not read.
  const search = page.getByRole("searchbox", { name: "Search folders" });
  await search.fill("09876");
  const found = page.getByRole("list", { name: "Groups found" }).getByRole("link");
  await expect(found).toHaveText(`${nameOf(9876)}${organization.name} / wide`, { timeout: 60_000 });
  const progress = page.getByRole("group", { name: "Search of groups" });
  // After ten thousand it asks whether to go on.
  await expect(progress).toContainText("Stopped: 1 found in 10,000 of 10,002 read", { timeout: 60_000 });
  await progress.getByRole("button", { name: "Resume" }).click();
  await expect(progress).toHaveText("1 of 10,002 groups");
  await search.press("Enter");
  await expect(node(nameOf(9876))).toHaveAttribute("aria-selected", "true");
  await expect(node(nameOf(9876))).toBeInViewport();

  // The next search is of what is read, however many match.
  const before = sent.length;
  await search.fill("team-");
  await expect(page.getByText("The first 100 are listed.")).toBeVisible();
  await expect(progress).toHaveText("10,000 of 10,002 groups");
  expect(sent).toHaveLength(before);
});

test("32 levels open one by one, and a link to the deepest shows its whole path", async ({ person }) => {
  test.slow();
  const { page, api, organization } = person;
  let deepest = organization;
  for (let level = 2; level <= LEVELS; level += 1)
    deepest = await folder(api, deepest, `level-${String(level).padStart(2, "0")}`);
  await person.open("identities");
  const tree = page.getByRole("tree", { name: "Groups" });
  const node = (level: number) =>
    tree.getByRole("treeitem", { name: `level-${String(level).padStart(2, "0")}`, exact: true });
  await expect(node(2)).toBeVisible();
  await page.waitForLoadState("networkidle");
  const sent = groupRequests(page);
  await node(2).focus();
  for (let level = 3; level <= LEVELS; level += 1) {
    await page.keyboard.press("ArrowRight");
    await expect(node(level)).toBeVisible();
    await page.keyboard.press("ArrowDown");
    await expect(node(level)).toBeFocused();
  }
  await expect(node(LEVELS)).toHaveAttribute("aria-level", String(LEVELS));
  await page.waitForLoadState("networkidle");
  expect(sent).toHaveLength(LEVELS - 2);

  await person.open(`identities?group=${param(deepest)}`);
  await expect(node(LEVELS)).toHaveAttribute("aria-selected", "true");
  await expect(node(LEVELS)).toBeInViewport();
  // The name is readable at any depth.
  const box = await node(LEVELS).getByText(`level-${LEVELS}`).boundingBox();
  expect(box?.width).toBeGreaterThan(40);
});
