import type { Page } from "@playwright/test";

import type { Group } from "platform-contract/iam/groups";

import { address, follow, type Api } from "../api";
import { makeRegistry, makeWorld, row, seen, settled, type Addresses, type World } from "../addresses";
import { registry } from "../addresses-registry";
import { expect, LONG, test } from "../fixtures";
import { param } from "../records";
import { NO_IMAGE } from "../tags";

const lists: Addresses<World> = ({ organization, team, deepest }) => {
  const all = `identities?group=${param(organization)}`;
  const machines = { heading: "Identities", table: "Identities" };
  return [
    [all, { ...machines, row: row(1, "ci-000"), sorted: ["Name ascending"] }],
    [`${all}&order=name+desc`, { row: row(1, "ci-119"), sorted: ["Name descending"] }],
    [`${all}&contains=I-09`, { row: row(1, "ci-090"), filters: ["I-09"] }],
    [`${all}&order=created_at+desc`, { sorted: ["Created descending"] }],
    [`${all}&order=last_seen_time+desc`, { sorted: ["Last seen descending"] }],
    [`${all}&order=nonsense`, { ...machines, row: row(1, "ci-000"), sorted: ["Name ascending"] }],
    [`${all}&reach=here`, { row: row(1, "ci-000"), filters: ["This group only"] }],
    [`identities?group=${param(team)}`, { row: row(1, "ci-020"), scope: "team" }],
    [`${all}&name=ci-077`, { row: row(1, "ci-077"), filters: ["ci-077"] }],
    [`${all}&name=nobody`, { heading: "Identities", filters: ["nobody"], sorted: [] }],
    [`${all}&kind=aws`, { row: row(1, "ci-000"), filters: ["aws"] }],
    [`${all}&kind=claims`, { row: row(1, "ci-001"), filters: ["claims"] }],
    [`${all}&kind=aws&order=name+desc&at=20`, { row: row(21, "ci-057"), filters: ["aws"] }],
    [`${all}&at=30`, { row: row(31, "ci-030") }],
    [`${all}&at=77`, { row: row(78, "ci-077") }],
    [`${all}&order=name+desc&at=60`, { row: row(61, "ci-059") }],
    // Past the last row: scrolls to the last row.
    [`${all}&name=ci-033&at=5000`, { ...machines, row: row(1, "ci-033"), filters: ["ci-033"] }],
    [`identities?group=${param(deepest)}`, { heading: "Identities", scope: "level-12" }],
    [
      `group-invites?group=${param(organization)}&state=pending`,
      { heading: "Invites", filters: ["pending"], table: undefined },
    ],
    // An old address, from when people were a tab of the identities.
    [`identities?tab=people&order=name+desc`, { table: "People", sorted: ["Name descending"] }],
    [
      "libraries?ecosystem=python&query=torch&cuda=12.4",
      { heading: "Libraries", filters: ["torch", "CUDA version: 12.4"], table: undefined },
    ],
    [`people?group=${param(organization)}`, { heading: "People", table: "People" }],
  ];
};

const screens: Addresses<World> = ({ organization, team, deepest, first, role }) => {
  const folders = `groups?group=${param(organization)}`;
  const all = `identities?group=${param(organization)}`;
  const name = organization.name;
  return [
    [``, { heading: name }],
    [`?group=${param(team)}`, { heading: "team", scope: "team" }],
    [`?group=${param(deepest)}`, { heading: "level-12", scope: "level-12" }],
    [folders, { heading: "Groups", table: "Groups", sorted: ["Name ascending"] }],
    [`${folders}&order=name+desc`, { row: row(1, "team"), sorted: ["Name descending"] }],
    [`${folders}&order=updated_at+desc`, { table: "Groups" }],
    [`${folders}&reach=here`, { row: row(1, "alpha"), filters: ["This group only"] }],
    [`${folders}&name=beta`, { row: row(1, "beta"), filters: ["beta"] }],
    [`${folders}&drawer=create`, { heading: "Groups", dialog: "Create folder" }],
    [`groups?drawer=create-organization`, { dialog: "Create organization" }],
    [`${folders}&drawer=edit&item=${param(team)}`, { dialog: "Edit folder" }],
    [`${folders}&drawer=delete&item=${param(deepest)}`, { dialog: "Delete folder level-12?" }],
    [`groups/${param(organization)}`, { heading: name }],
    [`groups/${param(deepest)}`, { heading: "level-12", breadcrumb: expect.stringContaining("level-11") }],
    [`groups/${param(team)}?drawer=edit`, { heading: "team", dialog: "Edit folder" }],
    [`${all}&drawer=create`, { table: "Identities", dialog: "Create identity" }],
    [`${all}&drawer=edit&item=${param(first)}&at=40`, { row: row(41, "ci-040"), dialog: "Edit identity" }],
    [`${all}&drawer=delete&item=${param(first)}&order=name+desc`, { dialog: "Delete identity ci-000?" }],
    [`identities/${param(first)}?group=${param(team)}`, { heading: "ci-000", scope: "team" }],
    [
      `roles?group=${param(organization)}&holds=tag.delete`,
      { row: row(1, "keeper"), filters: ["Has capability: tag.delete"] },
    ],
    [`roles?drawer=create&item=${param(role)}`, { heading: "Roles", dialog: "Create role" }],
    [`roles/${param(role)}`, { heading: "keeper", breadcrumb: "Roleskeeper" }],
    [`roles/${param(role)}?drawer=edit`, { heading: "keeper", dialog: "Edit role" }],
    [`roles/${param(role)}?drawer=delete`, { heading: "keeper", dialog: "Delete role keeper?" }],
    [`roles/compare?roles=${param(role)}&differences=only`, { heading: "Compare roles" }],
    [`identities/${param(first)}?drawer=delete`, { heading: "ci-000", dialog: "Delete identity ci-000?" }],
    [
      `advisories?group=${param(organization)}&id=CVE-2026-1&latest=fixed&since=2026-01-01`,
      {
        heading: "Advisories",
        filters: ["CVE-2026-1", "Newest event: fixed", "Updated since: 2026-01-01"],
        table: undefined,
      },
    ],
    [
      `subscriptions?group=${param(organization)}&contains=hooks`,
      { heading: "Event subscriptions", filters: ["hooks"], table: undefined },
    ],
    [`subscriptions?group=${param(team)}&drawer=create`, { dialog: "Create event subscription" }],
    [`access-review?group=${param(team)}`, { heading: "Access review", scope: "team" }],
    [`import?group=${param(team)}&kind=groups`, { heading: "Import folders", scope: "team" }],
    [`snapshots?group=${param(team)}`, { heading: "Snapshots", scope: "team" }],
    [`status?group=${param(team)}`, { heading: "Platform status", scope: "team" }],
    [
      `affected?group=${param(team)}&id=CVE-2026-1`,
      { heading: "Are we affected by CVE-2026-1?", scope: "team" },
    ],
  ];
};

/** `npm run test:long` checks every address of every screen. */
const SMOKE = [/^identities\?.*kind=aws&order=/, /^people\?group=/, /^libraries\?/, /^group-invites\?/];

/** `tags` for the list, `tags/` for the page of one tag. */
const screenOf = (path: string): string | undefined => /^[^/?]*\/?/.exec(path)?.[0];

const WORLDS = {
  lists: async (api: Api, organization: Group) =>
    lists(await makeWorld(api, organization)).filter(
      ([path]) => LONG || SMOKE.some((each) => each.test(path)),
    ),
  screens: async (api: Api, organization: Group) => screens(await makeWorld(api, organization)),
  registry: async (api: Api, organization: Group) => registry(await makeRegistry(api, organization)),
};

for (const [what, addresses] of Object.entries(WORLDS))
  test(`addresses of ${what} show the same after a reload, after Back, and in another tab${what === "lists" ? "" : " @long"}`, async ({
    person,
    problems,
  }) => {
    // Each address is opened four times; three dozen of them take minutes on a busy machine.
    test.setTimeout(LONG ? 600_000 : 180_000);
    problems.allow(NO_IMAGE);
    const { page, context, api, organization, open } = person;
    let tab: Page | undefined;
    let screen: string | undefined;
    for (const [path, shown] of await addresses(api, organization)) {
      // All but the first are opened through a link: the previous screen must not matter.
      if (screen === undefined) await open(path);
      else await follow(page, path);
      const first = await settled(page, shown, path);
      // Pastes the link into an empty tab. One tab per screen, since each tab has to sign in.
      if (tab === undefined || screenOf(path) !== screen) {
        await tab?.close();
        tab = await context.newPage();
        screen = screenOf(path);
      }
      const other = tab;
      await Promise.all([
        page.reload().then(() => settled(page, first, `${path} after a reload`)),
        other.goto(address(path)).then(() => settled(other, first, `${path} in another tab`)),
      ]);
      // Not with the pointer: a dialog can cover the navigation.
      const name = path.startsWith("groups") ? "Identities" : "Groups";
      const away = page.getByRole("navigation", { name: "Main", includeHidden: true });
      await away.getByRole("link", { name, includeHidden: true }).dispatchEvent("click");
      await expect.poll(async () => (await seen(page)).heading).toBe(name);
      await page.goBack();
      await settled(page, first, `${path} after Back`);
    }
  });

test("an address that leads nowhere is not found inside the shell, by a link and in another tab @long", async ({
  person,
}) => {
  const { page, organization, open } = person;
  const uid = param(organization);
  const shortened = uid.slice(0, -1);
  const nowhere = [
    ...["groups", "identities", "identity-providers", "roles", "repos", "tags"].flatMap((name) => [
      `${name}/xyz`,
      `${name}/${shortened}`,
    ]),
    `repos/${uid})`,
    `tags/${uid}.`,
    "groups.",
    "repos/v2",
    "nowhere.png",
  ];
  await open("groups");
  for (const path of nowhere) {
    await follow(page, path);
    await expect(page, path).toHaveTitle(/^Not found/);
    await expect(page.getByRole("heading", { level: 1 }), path).toHaveText(/^This \w+ wasn't found$/);
    await expect(page.getByRole("navigation", { name: "Main" }), path).toBeVisible();
    // Go back to the overview and wait for its title, so that the next address has to set its own.
    await page.getByRole("main").getByRole("link", { name: "Go to the overview" }).click();
    await expect(page, path).toHaveTitle(new RegExp(`^${organization.name}`));
  }
  for (const path of [`identities/${uid}.`, "repos/v2"]) {
    await page.goto(address(path));
    await expect(page.getByRole("heading", { level: 1 }), path).toHaveText(/^This \w+ wasn't found$/);
  }
});
