import type { Page } from "@playwright/test";

import type { Group } from "~/contract/iam/groups";
import type { Identity } from "~/contract/iam/identities";
import type { Repo } from "~/contract/registry/repos";
import type { Tag } from "~/contract/registry/tags";

import { address, type Api } from "./api";
import { expect, test } from "./fixtures";
import { createTags, digestOf, NO_IMAGE } from "./tags";

/** What the addresses are about; its names say where each lies. */
interface World {
  readonly organization: Group;
  readonly team: Group;
  readonly deepest: Group;
  readonly first: Identity;
  readonly image: Repo;
  readonly repo: Repo;
  readonly tag: Tag;
}

const param = ({ uid }: { uid: string }): string => uid.replaceAll("/", "_");
const pad = (index: number): string => String(index).padStart(3, "0");

/** An organization with 120 machines and 60 repos, most of them in one folder, and a folder twelve levels down. */
async function makeWorld(api: Api, organization: Group): Promise<World> {
  const folder = (parent: Group, name: string) => api.post<Group>(`/iam/v2/groups/${parent.uid}`, { name });
  const team = await folder(organization, "team");
  const machines = Array.from({ length: 120 }, (_, index) =>
    api.post<Identity>(`/iam/v2/identities/${index < 20 ? organization.uid : team.uid}`, {
      name: `ci-${pad(index)}`,
      ...(index % 3 === 0
        ? { awsIdentity: { awsAccount: "123456789012", arn: `arn:aws:iam::${index}`, userId: `${index}` } }
        : { claimMatch: { issuer: "https://issuer.example", subject: `ci-${index}` } }),
    }),
  );
  const images = Array.from({ length: 60 }, (_, index) =>
    api.post<Repo>(`/registry/v2/repos/${index < 20 ? organization.uid : team.uid}`, {
      name: `image-${pad(index)}`,
      catalogTier: index % 3 === 0 ? "CATALOG_TIER_BASE" : "CATALOG_TIER_AI",
    }),
  );
  let deepest = team;
  for (let level = 3; level <= 12; level += 1) deepest = await folder(deepest, `level-${level}`);
  for (const name of ["alpha", "beta", "gamma"]) await folder(organization, name);
  const [first] = await Promise.all(machines);
  const made = await Promise.all(images);
  const [image, repo] = [made[0], made[20]];
  const versions = await createTags(
    api,
    (repo as Repo).uid,
    Array.from({ length: 120 }, (_, index) => ({
      name: `1.${index}${index % 4 === 3 ? "-r1" : ""}`,
      digest: digestOf(index >> 1),
      deprecated: index % 10 === 0,
    })),
  );
  return {
    organization,
    team,
    deepest,
    first: first as Identity,
    image: image as Repo,
    repo: repo as Repo,
    tag: versions[7] as Tag,
  };
}

/** What is on screen of all that an address says. */
const seen = (page: Page) =>
  page.evaluate(() => {
    const text = (selector: string) => document.querySelector(selector)?.textContent;
    const table = document.querySelector<HTMLElement>("[role=table]");
    const below = table?.querySelector("[role=rowgroup]")?.getBoundingClientRect().bottom ?? 0;
    const rows = [...(table?.querySelectorAll("[data-row-key]") ?? [])];
    const inView = rows.filter((row) => row.getBoundingClientRect().top >= below - 1);
    const top = inView.toSorted(
      (one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top,
    )[0];
    return {
      heading: text("h1"),
      breadcrumb: text("[aria-label=Breadcrumb]"),
      table: table?.ariaLabel,
      row: top && [top.ariaRowIndex, top.querySelector("a")?.textContent],
      sorted: [...document.querySelectorAll("[aria-sort]:not([aria-sort=none])")].map(
        (header) => `${header.textContent} ${header.ariaSort}`,
      ),
      filters: [...document.querySelectorAll<HTMLInputElement>("[role=search] :is(input, select)")]
        .map(({ value }) => value)
        .filter(Boolean),
      tab: text("main nav:not([aria-label=Breadcrumb]) [aria-current=page]"),
      dialog: text("[role=dialog] h2"),
      scope: text("[role=treeitem][aria-selected=true]"),
    };
  });

type Seen = Awaited<ReturnType<typeof seen>>;

/** What is on screen once it shows what it should and no longer changes. */
async function settled(page: Page, what: Shown, when: string): Promise<Seen> {
  let last = "";
  await expect
    .poll(
      async () => {
        const now = await seen(page).catch(() => undefined);
        const same = now !== undefined && JSON.stringify(now) === last;
        last = JSON.stringify(now) ?? "";
        return same ? now : undefined;
      },
      { message: when, intervals: [50] },
    )
    .toMatchObject(what);
  return JSON.parse(last) as Seen;
}

/** A part of what has to be seen, so that one blank page is not like another. */
type Shown = Partial<Record<keyof Seen, unknown>>;
type Addresses = (world: World) => readonly (readonly [path: string, what: Shown])[];

/** The first one that is wholly in view, by its number from 1; the header is a row as well. */
const row = (number: number, name: string) => [String(number + 1), name];

const lists: Addresses = ({ organization, team, deepest }) => {
  const all = `identities?group=${param(organization)}`;
  const machines = { heading: "Identities", table: "Identities" };
  return [
    [all, { ...machines, row: row(1, "ci-000"), sorted: ["Name ascending"] }],
    [`${all}&order=name+desc`, { row: row(1, "ci-119"), sorted: ["Name descending"] }],
    [`${all}&contains=I-09`, { row: row(1, "ci-090"), filters: ["I-09"] }],
    [`${all}&order=created_at+desc`, { sorted: ["Created descending"] }],
    [`${all}&order=last_seen_time+desc`, { sorted: ["Last seen descending"] }],
    [`${all}&order=nonsense`, { ...machines, row: row(1, "ci-000"), sorted: ["Name ascending"] }],
    [`${all}&reach=here`, { row: row(1, "ci-000"), filters: ["here"] }],
    [`identities?group=${param(team)}`, { row: row(1, "ci-020"), scope: "team" }],
    [`${all}&name=ci-077`, { row: row(1, "ci-077"), filters: ["ci-077"] }],
    [`${all}&name=nobody`, { heading: "Identities", filters: ["nobody"] }],
    [`${all}&kind=aws`, { row: row(1, "ci-000"), filters: ["aws"] }],
    [`${all}&kind=claims`, { row: row(1, "ci-001"), filters: ["claims"] }],
    [`${all}&kind=aws&order=name+desc&at=20`, { row: row(21, "ci-057"), filters: ["aws"] }],
    [`${all}&at=30`, { row: row(31, "ci-030") }],
    [`${all}&at=77`, { row: row(78, "ci-077") }],
    [`${all}&order=name+desc&at=60`, { row: row(61, "ci-059") }],
    // Further down than there are rows: as far as there are.
    [`${all}&name=ci-033&at=5000`, { ...machines, row: row(1, "ci-033"), filters: ["ci-033"] }],
    [`identities?group=${param(deepest)}`, { heading: "Identities", scope: "level-12" }],
    [`identities?tab=people&group=${param(organization)}`, { table: "People", tab: "People" }],
    [`identities?tab=people&order=name+desc`, { table: "People", sorted: ["Name descending"] }],
  ];
};

const screens: Addresses = ({ organization, team, deepest, first }) => {
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
    [`${folders}&reach=here`, { row: row(1, "alpha"), filters: ["here"] }],
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
    [`identities/${param(first)}?drawer=delete`, { heading: "ci-000", dialog: "Delete identity ci-000?" }],
  ];
};

const tags: Addresses = ({ organization, team, repo, tag }) => {
  const all = `tags?repo=${param(repo)}`;
  return [
    [all, { heading: "image-020", table: "Tags", tab: "Tags", sorted: ["Updated descending"] }],
    [`tags?group=${param(organization)}&order=name`, { heading: "Tags", row: row(1, "1.0") }],
    [`tags?group=${param(organization)}&reach=here`, { heading: "Tags", filters: ["here"] }],
    [`tags?group=${param(team)}&deprecated=yes&order=name`, { row: row(1, "1.0"), scope: "team" }],
    [`${all}&order=name`, { row: row(1, "1.0"), sorted: ["Name ascending"] }],
    [`${all}&order=name&at=50`, { row: row(51, "1.64") }],
    [`${all}&order=name+desc&epochs=yes`, { row: row(1, "1.99-r1") }],
    [`${all}&name=1.7-r1`, { row: row(1, "1.7-r1"), filters: ["1.7-r1"] }],
    [`${all}&digest=${digestOf(2)}&order=name`, { row: row(1, "1.4") }],
    [`${all}&contains=.11&order=name`, { row: row(1, "1.11"), filters: [".11"] }],
    [`${all}&order=version+desc`, { row: row(1, "1.118"), filters: ["version desc"] }],
    [`${all}&order=version&at=40`, { row: row(41, "1.53") }],
    [`${all}&deprecated=yes&order=version`, { row: row(1, "1.0"), filters: ["yes", "version"] }],
    [`${all}&deprecated=no&order=name&at=20`, { filters: ["no"] }],
    [`${all}&since=2020-01-01&order=name`, { row: row(1, "1.0"), filters: ["2020-01-01"] }],
    [`${all}&by=digest&order=version`, { row: row(1, "sha256:000000000000") }],
    [`${all}&drawer=create`, { heading: "image-020", dialog: "Create tag" }],
    [`${all}&drawer=create&item=${param(tag)}`, { dialog: "Move tag" }],
    [`${all}&drawer=delete&item=${param(tag)}`, { dialog: "Delete tag 1.7-r1?" }],
    [`${all}&drawer=pull&item=${param(tag)}`, { dialog: "Pull 1.7-r1" }],
    [`tags/${param(tag)}`, { heading: "1.7-r1", breadcrumb: expect.stringContaining("image-020") }],
    [`tags/${param(tag)}?drawer=create`, { heading: "1.7-r1", dialog: "Move tag" }],
    [`tags/compare?a=${param(tag)}&b=${param(tag)}`, { heading: "Compare tags" }],
  ];
};

const repos: Addresses = ({ organization, team, image }) => {
  const all = `repos?group=${param(organization)}`;
  const shown = { heading: "Repos", table: "Repos" };
  return [
    [all, { ...shown, row: row(1, "image-000"), sorted: ["Name ascending"] }],
    [`${all}&order=name+desc`, { row: row(1, "image-059"), sorted: ["Name descending"] }],
    [`${all}&order=updated_at+desc`, { sorted: ["Updated descending"] }],
    [`${all}&reach=here&at=3`, { row: row(4, "image-003"), filters: ["here"] }],
    [`${all}&name=image-033`, { row: row(1, "image-033"), filters: ["image-033"] }],
    [`${all}&tier=base&order=name+desc`, { row: row(1, "image-057"), filters: ["base"] }],
    [`${all}&contains=E-04`, { row: row(1, "image-040"), filters: ["E-04"] }],
    [`${all}&at=40`, { row: row(41, "image-040") }],
    [`repos?group=${param(team)}`, { row: row(1, "image-020"), scope: "team" }],
    [`${all}&drawer=create`, { ...shown, dialog: "Create repo" }],
    [`${all}&drawer=edit&item=${param(image)}`, { ...shown, dialog: "Edit repo" }],
    [`repos/${param(image)}`, { heading: "image-000", tab: "Overview" }],
    [`repos/${param(image)}?drawer=readme`, { heading: "image-000", dialog: "Edit readme of image-000" }],
    [`repos/${param(image)}?drawer=delete`, { heading: "image-000", dialog: "Delete repo image-000?" }],
  ];
};

for (const [what, addresses] of Object.entries({ lists, screens, repos, tags }))
  test(`addresses of ${what} show the same after a reload, after Back, and in another tab`, async ({
    person,
    problems,
  }) => {
    test.slow();
    problems.allow(NO_IMAGE);
    const { page, context, api, organization } = person;
    const world = await makeWorld(api, organization);
    const tab = await context.newPage();
    for (const [path, shown] of addresses(world)) {
      await page.goto(address(path));
      const first = await settled(page, shown, path);
      await Promise.all([
        page.reload().then(() => settled(page, first, `${path} after a reload`)),
        tab.goto(address(path)).then(() => settled(tab, first, `${path} in another tab`)),
      ]);
      // Not by the pointer: a dialog may lie over the navigation.
      const name = path.startsWith("groups") ? "Identities" : "Groups";
      const away = page.getByRole("navigation", { name: "Main", includeHidden: true });
      await away.getByRole("link", { name, includeHidden: true }).dispatchEvent("click");
      await expect.poll(async () => (await seen(page)).heading).toBe(name);
      await page.goBack();
      await settled(page, first, `${path} after Back`);
    }
    await tab.close();
  });
