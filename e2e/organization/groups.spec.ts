import type { Group } from "platform-contract/iam/groups";
import type { ListAnswer } from "platform-contract/resource";

import { expect, gate, test, unique } from "../fixtures";
import { param } from "../records";

test("a newcomer creates an organization, renames it, and deletes it again", gate, async ({ signUp }) => {
  const { page, api, open } = await signUp();
  await open("");
  await page.getByRole("link", { name: "Create an organization" }).click();
  const drawer = page.getByRole("dialog", { name: "Create organization" });
  const name = unique("acme");
  await drawer.getByLabel("Name").fill(name);
  await drawer.getByRole("button", { name: "Create organization" }).click();
  await expect(drawer).toBeHidden();
  await page.getByRole("table", { name: "Groups" }).getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();

  await page.getByRole("button", { name: "Edit" }).click();
  const edit = page.getByRole("dialog", { name: "Edit organization" });
  const renamed = `${name}-renamed`;
  await edit.getByLabel("Name").fill(renamed);
  const patched = page.waitForRequest((request) => request.method() === "PATCH");
  await edit.getByRole("button", { name: "Save changes" }).click();
  const request = await patched;
  expect(new URL(request.url()).searchParams.get("updateMask")).toBe("name");
  expect(request.postDataJSON()).toEqual({ name: renamed });
  await expect(page.getByRole("heading", { name: renamed, level: 1 })).toBeVisible();

  await page.getByRole("button", { name: `More actions for ${renamed}` }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const confirm = page.getByRole("dialog", { name: `Delete organization ${renamed}?` });
  await confirm.getByLabel(/Type the name/).fill(renamed);
  await confirm.getByRole("button", { name: "Delete organization" }).click();
  await expect(confirm).toBeHidden();
  const { groups } = await api.get<ListAnswer<Group> & { groups?: Group[] }>("/iam/v2/groups");
  expect(groups).toEqual([]);
});

test("a folder that holds something stays: what blocks it is named before and after, and leads there @long", async ({
  person,
  problems,
}) => {
  problems.allow(/status of 400 .*\/iam\/v2\/groups\//);
  const { page, api, organization, open } = person;
  const team = await api.post<Group>(`/iam/v2/groups/${organization.uid}`, { name: "team" });
  const ask = async () => {
    await page.getByRole("button", { name: "More actions for team" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
  };
  await open(`groups/${param(team)}`);
  // A folder says nothing of organizations.
  await expect(page.getByText("Created", { exact: true })).toBeVisible();
  await expect(page.getByText(/Kind of organization|Verified/)).toHaveCount(0);
  // The menu is last in the page header, as tall as its neighbor.
  const menu = page.getByRole("button", { name: "More actions for team" });
  const last = page.getByRole("button", { name: "Create folder" }).first();
  const [menuBox, lastBox] = [await menu.boundingBox(), await last.boundingBox()];
  expect(menuBox).toMatchObject({ y: lastBox?.y, height: lastBox?.height });
  expect(menuBox?.x).toBeGreaterThan(lastBox?.x ?? Infinity);
  await ask();
  const confirm = page.getByRole("dialog", { name: "Delete folder team?" });
  await expect(confirm.getByRole("button", { name: "Cancel" })).toBeFocused();
  await confirm.getByLabel(/Type the name/).fill("team");
  // Another user adds records meanwhile.
  await api.post(`/iam/v2/groups/${team.uid}`, { name: "inside" });
  await api.post(`/iam/v2/identities/${team.uid}`, {
    name: "ci",
    claimMatch: { issuer: "https://issuer.example", subject: "ci" },
  });
  await confirm.getByRole("button", { name: "Delete folder" }).click();
  const refusal = confirm.getByRole("alert");
  await expect(refusal).toContainText("Nothing was deleted");
  await expect(refusal.getByRole("link", { name: /1 folder/ })).toBeVisible();
  await confirm.getByRole("button", { name: "Cancel" }).click();

  await ask();
  await expect(confirm.getByText("Still inside:")).toBeVisible();
  await expect(confirm.getByRole("textbox")).toBeHidden();
  await expect(confirm.getByRole("button", { name: "Delete folder" })).toHaveAccessibleDescription(
    "The folder isn't empty",
  );
  await confirm.getByRole("link", { name: /1 identit/ }).click();
  await expect(page.getByRole("heading", { name: "Identities", level: 1 })).toBeVisible();
  await expect(page.getByRole("link", { name: "ci", exact: true })).toBeVisible();
  expect((await api.get<Group>(`/iam/v2/groups/${team.uid}`)).name).toBe("team");
});

test("what an organization holds fills its frame in windows of every width @long", async ({ person }) => {
  const { page, organization, open } = person;
  await open(`groups/${organization.uid}`);
  const counts = page.locator("dl", { has: page.getByRole("link", { name: "Repos" }) });
  await expect(counts).toBeVisible();
  // The second size is a common window at 200 % zoom.
  for (const size of [
    { width: 390, height: 844 },
    { width: 640, height: 360 },
    { width: 1280, height: 720 },
  ]) {
    await page.setViewportSize(size);
    await counts.scrollIntoViewIfNeeded();
    const isBare = await counts.evaluate((frame) => {
      const { right, bottom } = frame.getBoundingClientRect();
      return document.elementFromPoint(right - 8, bottom - 8) === frame;
    });
    expect(isBare, `bare corner, ${size.width} px wide`).toBe(false);
  }
});

test("a folder created in the console stands in the list and in the tree, and an empty one can be deleted @long", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  await open(`groups?group=${organization.uid}`);
  await page.getByRole("button", { name: "Create folder" }).first().click();
  const drawer = page.getByRole("dialog", { name: "Create folder" });
  await drawer.getByLabel("Name").fill("ab");
  await drawer.getByRole("button", { name: "Create folder" }).click();
  await expect(drawer.getByText("Must be 3 to 63 characters long")).toBeVisible();
  await expect(drawer.getByLabel("Name")).toBeFocused();
  await drawer.getByLabel("Name").fill("payments");
  await drawer.getByLabel("Description").fill("Cards and invoices");
  await drawer.getByRole("button", { name: "Create folder" }).click();
  await expect(drawer).toBeHidden();
  const row = page.getByRole("table", { name: "Groups" }).getByRole("link", { name: "payments" });
  await expect(row).toBeVisible();
  await expect(
    page.getByRole("tree", { name: "Groups" }).getByRole("treeitem", { name: "payments", exact: true }),
  ).toBeVisible();

  await page.getByRole("button", { name: "Actions for payments" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const confirm = page.getByRole("dialog", { name: "Delete folder payments?" });
  await confirm.getByLabel(/Type the name/).fill("payments");
  await confirm.getByRole("button", { name: "Delete folder" }).click();
  await expect(confirm).toBeHidden();
  await expect(row).toBeHidden();
  const { totalCount } = await api.get<{ totalCount: string }>(
    `/iam/v2/groups?uidp.children_of=${organization.uid}`,
  );
  expect(totalCount).toBe("0");
});

test("a long list pages as it is scrolled, keeps its place over a reload, and sorts as a whole @long @engines", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  for (let index = 0; index < 120; index += 1)
    await api.post(`/iam/v2/groups/${organization.uid}`, {
      name: `folder-${String(index).padStart(3, "0")}`,
    });
  await open(`groups?group=${organization.uid}&reach=here`);
  const table = page.getByRole("table", { name: "Groups" });
  await expect(page.getByText("of 120")).toBeVisible();
  await page.getByLabel("Jump to row").fill("100");
  await page.keyboard.press("Enter");
  await expect(table.getByRole("link", { name: "folder-099" })).toBeVisible();
  await expect(page).toHaveURL(/[?&]at=\d+/);
  await page.reload();
  await expect(table.getByRole("link", { name: "folder-099" })).toBeVisible();

  await table.getByRole("columnheader", { name: "Name" }).getByRole("button").click();
  await expect(table.getByRole("columnheader", { name: "Name" })).toHaveAttribute("aria-sort", "descending");
  await expect(table.getByRole("link", { name: "folder-119" })).toBeVisible();
  await expect(page).toHaveURL(/order=name(\+|%20)desc/);
});
