import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";

import type { Group } from "platform-contract/iam/groups";
import { roleUidOf, type RoleBinding } from "platform-contract/iam/role-bindings";

import type { Api } from "../api";
import { bind, identityOf } from "../bindings";
import { expect, test, type Person } from "../fixtures";
import { hasNoFinding } from "../lists";
import { folder, param } from "../records";

const bindingsIn = async (api: Api, group: Group): Promise<readonly RoleBinding[]> =>
  (await api.get<{ roleBindings: RoleBinding[] }>(`/iam/v2/roleBindings?uidp.children_of=${group.uid}`))
    .roleBindings;

/** The role bindings that count in a group, each in one line. */
async function heldNow(api: Api, groups: readonly Group[]): Promise<string[]> {
  const lists = await Promise.all(groups.map((group) => bindingsIn(api, group)));
  return lists
    .flat()
    .map((one) => [one.uid, one.identity?.uid, roleUidOf(one)].join(" "))
    .toSorted();
}

async function revoke(api: Api, group: Group, person: Person): Promise<void> {
  const identity = await identityOf(api, person);
  for (const one of await bindingsIn(api, group))
    if (one.identity?.uid === identity) await api.delete(`/iam/v2/roleBindings/${one.uid}`);
}

async function download(page: Page, action: string): Promise<string> {
  await page.getByRole("button", { name: "Download this answer" }).click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: action }).click(),
  ]);
  return readFile(await file.path(), "utf8");
}

/** The lines of a file without quoted values. */
const linesOf = (csv: string): readonly Record<string, string>[] => {
  const [head = [], ...rows] = csv
    .replace(/^\uFEFF/, "")
    .trim()
    .split("\r\n")
    .map((line) => line.split(","));
  return rows.map((row) => Object.fromEntries(row.map((value, index) => [head[index] ?? "", value])));
};

test("who had access to a folder at a time is a file that equals what the API said then", async ({
  person,
  signUp,
}) => {
  const { page, api, organization, open } = person;
  const [ann, bob, carol] = [await signUp(), await signUp(), await signUp()];
  const team = await folder(api, organization, "team-a");
  await bind(api, team, ann, "viewer");
  await bind(api, organization, bob, "editor");
  await bind(api, team, carol, "owner");
  await revoke(api, team, carol);
  const carolUid = await identityOf(api, carol);
  const held = await heldNow(api, [organization, team]);
  const time = new Date().toISOString();
  // What happened since must not count.
  await revoke(api, team, ann);
  await revoke(api, organization, bob);
  await bind(api, team, carol, "viewer");
  const gone = await Promise.all([ann, bob].map((person) => identityOf(api, person)));
  const rest = held.filter((line) => !gone.some((uid) => line.includes(uid)));
  const now = await heldNow(api, [organization, team]);
  expect(now.filter((line) => held.includes(line))).toEqual(rest);
  expect(now.filter((line) => !held.includes(line))).toEqual([expect.stringContaining(carolUid)]);

  await open(`groups/${param(team)}?tab=access`);
  await page.getByRole("link", { name: "On a date" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Access on a date" })).toBeVisible();
  await page.getByLabel("Time (UTC)", { exact: true }).fill(time.slice(11, 23));
  await page.keyboard.press("Enter");
  const rows = page.getByRole("table", { name: "Roles held" }).locator("tbody").getByRole("row");
  await expect(rows).toHaveCount(3);
  await hasNoFinding(page, "main");
  const file = linesOf(await download(page, "Download as CSV"));
  expect(
    file
      // The last rows are what the page notes.
      .filter((row) => row["Role binding ID"])
      .map((row) => [row["Role binding ID"], row["Identity ID"], row["Role ID"]].join(" "))
      .toSorted(),
  ).toEqual(held);

  // The whole day has everything that was held at any time of it, with from when to when.
  await page.getByRole("button", { name: 'Clear "Time (UTC)"' }).click();
  await expect(rows).toHaveCount(5);
  const { held: all, notes } = JSON.parse(await download(page, "Download as JSON")) as {
    held: { identity: string; roleName: string; endTime?: string }[];
    notes: string[];
  };
  const carols = all
    .filter(({ identity }) => identity === carolUid)
    .map(({ roleName, endTime }) => [roleName, endTime !== undefined]);
  expect(carols.toSorted()).toEqual([
    ["owner", true],
    ["viewer", false],
  ]);
  expect(notes.join(" ")).toContain("For what a role allowed at the time");
});

test("a day before the organization shows that nobody had access, without a warning", async ({ person }) => {
  const { page, organization, open } = person;
  await open(`audit-log/access?group=${param(organization)}&on=2020-01-01`);
  await expect(page.getByText("Nobody that you can see had a role.")).toBeVisible();
  await expect(page.getByText("This may not be everything")).toBeHidden();
  const now = new Date().toISOString();
  await page.getByLabel("Date", { exact: true }).fill(now.slice(0, 10));
  await page.keyboard.press("Enter");
  await page.getByLabel("Time (UTC)", { exact: true }).fill(now.slice(11, 19));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("table", { name: "Roles held" }).getByRole("row")).toHaveCount(2);
});

test("who gave a busy person a role, and when, takes three clicks from the person's page", async ({
  person,
  signUp,
}) => {
  const { page, api, organization, open } = person;
  const team = await folder(api, organization, "team-a");
  const other = await signUp();
  await bind(api, team, other, "viewer");
  // More entries about them than the history on their page shows.
  for (let i = 0; i < 5; i++) {
    await bind(api, organization, other, "editor");
    await revoke(api, organization, other);
  }
  await open(`identities/${await identityOf(api, other)}`);
  await page.getByRole("button", { name: "Actions for team-a, viewer" }).click();
  await page.getByRole("menuitem", { name: "Open role binding" }).click();
  // The page of the identity has a table with this name too.
  await expect(page.getByRole("heading", { level: 1, name: /, viewer in team-a/ })).toBeVisible();
  const granted = page.getByRole("table", { name: "History" }).getByRole("row", { name: /^Granted access/ });
  await expect(granted).toBeVisible();
  await granted.getByRole("link", { name: "Granted access" }).click();
  await expect(
    page.getByRole("heading", { level: 1, name: /^Granted access: .* as viewer in team-a/ }),
  ).toBeVisible();
  const owner = await identityOf(api, person);
  await expect(page.locator(`main a[href*="/identities/${owner}"]`).first()).toBeVisible();
  await expect(page.getByText(/^ ?\d{4}-\d\d-\d\d [\d:]+ UTC$/).first()).toBeVisible();
});

test("roles granted in folders below are listed and counted apart, or left out", async ({
  person,
  signUp,
}) => {
  const { page, api, organization, open } = person;
  const ann = await signUp();
  const team = await folder(api, organization, "team-b");
  await bind(api, team, ann, "viewer");

  await open(`audit-log/access?group=${param(organization)}`);
  await expect(
    page.getByText(/^1 identity, .*\. 1 more had a role only in folders below it\.$/),
  ).toBeVisible();
  const rows = page.getByRole("table", { name: "Roles held" }).locator("tbody").getByRole("row");
  await expect(rows).toHaveCount(2);
  await page.getByLabel("Folders below").selectOption("left out");
  await expect(rows).toHaveCount(1);
  await expect(page.getByText(/What was granted in a folder below it is not listed\.$/)).toBeVisible();
});
