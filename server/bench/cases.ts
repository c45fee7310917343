import type { ScaleOptions } from "../commands/seed/scale-options";
import { viewerEmail } from "../commands/seed/scale-people";
import { planGroups, deepestIndex, scaleUid, wideIndex, type ScaleSize } from "../commands/seed/scale-plan";
import { planRepo } from "../commands/seed/scale-registry-plan";
import { advisoriesTable } from "../domains/vulnerabilities/advisories.table";
import { identitiesTable } from "../domains/identities/identities.table";
import { reposTable } from "../domains/registry/repos.table";
import { tagsTable } from "../domains/registry/tags.table";
import type { Table } from "../platform/store/table";
import type { Reader, World } from "./world";

export interface List {
  readonly collection: string;
  readonly path: string;
  readonly table: Table;
}

/** One list request. */
export interface Case {
  readonly list: List;
  readonly scope: string;
  /** Number of visible, disjoint groups. */
  readonly roots: number;
  readonly reader: Reader;
  readonly query: Readonly<Record<string, string | boolean>>;
  /** True if deep / first is promised to be flat. */
  readonly promised: boolean;
}

const IDENTITIES: List = { collection: "identities", path: "/iam/v2/identities", table: identitiesTable };
const REPOS: List = { collection: "repos", path: "/registry/v2/repos", table: reposTable };
const TAGS: List = { collection: "tags", path: "/registry/v2/tags", table: tagsTable };

const ADVISORIES: List = {
  collection: "advisories",
  path: "/vulnerabilities/v2/advisories",
  table: advisoriesTable,
};

const within = (uid: string) => ({ "uidp.descendants_of": uid });
const childrenOf = (uid: string) => ({ "uidp.children_of": uid });

/** A folder with roughly a twentieth of everything: neither all nor nothing. */
async function middleFolder({ service }: World, uids: readonly string[], { table }: List): Promise<string> {
  const level = uids.filter((uid) => uid.length === scaleUid.length + 17).slice(0, 60);
  const rows = await service.database.query<{ uid: string; n: number; total: number }>(
    `select a.uid, k.n, (select count(*)::int from ${table.name}) as total from unnest($1::text[]) as a (uid)
     cross join lateral
       (select count(*)::int as n from ${table.name} t where t.uid > a.uid || '/' and t.uid < a.uid || '0') k`,
    [level],
  );
  const off = ({ n, total }: { n: number; total: number }) => Math.abs(n - total / 20);
  return rows.toSorted((a, b) => off(a) - off(b))[0]?.uid ?? scaleUid;
}

/** Everything seen by people with a role at this many groups. */
async function everythingSeen(
  world: World,
  list: List,
  visible: readonly number[],
  query: Case["query"],
): Promise<Case[]> {
  const cases: Case[] = [];
  for (const roots of visible) {
    const reader = await world.reader(viewerEmail(roots));
    // For tags, the promise only covers lists of one repo.
    const promised = roots <= 10 && list !== TAGS;
    cases.push({ list, scope: "everything seen", roots, reader, query, promised });
  }
  return cases;
}

export async function identityCases(
  world: World,
  size: ScaleSize,
  visible: readonly number[],
): Promise<Case[]> {
  const { uids } = planGroups(size);
  const reader = await world.reader(world.service.config.adminEmail);
  const folder = await middleFolder(world, uids, IDENTITIES);
  const crowded = uids[uids.length > wideIndex(size) ? wideIndex(size) : deepestIndex(size)] ?? "";
  const one = { list: IDENTITIES, roots: 1, reader, promised: true };
  return [
    { ...one, scope: "organization", query: within(scaleUid) },
    { ...one, scope: "folder", query: within(folder) },
    { ...one, scope: "one group", query: childrenOf(crowded) },
    ...(await everythingSeen(world, IDENTITIES, visible, {})),
  ];
}

/** Everything, and free-text searches with many, some and few matches. */
export async function advisoryCases(world: World): Promise<Case[]> {
  const reader = await world.reader(world.service.config.adminEmail);
  const one = { list: ADVISORIES, roots: 1, reader, promised: true };
  const texts = ["package", "cve-2021", "component-77", "package-3999"];
  return [
    { ...one, scope: "organization", query: within(scaleUid) },
    ...texts.map((query) => ({ ...one, scope: `query=${query}`, query: { ...within(scaleUid), query } })),
  ];
}

/** Includes names that lists hide by default. */
const ALL_NAMES = { includeDates: true, includeEpochs: true, includeReferrers: true };

/** Scopes of the compared repos: the time of a first page must not depend on the number of tags. */
export const MANY = "repo with many, all names";
export const FEW = "repo with few, all names";

export async function registryCases(
  world: World,
  size: ScaleOptions,
  visible: readonly number[],
): Promise<Case[]> {
  const { uids } = planGroups(size);
  const reader = await world.reader(world.service.config.adminEmail);
  const [many = "", few = ""] = [0, 1].map((index) => planRepo(size, uids, index).uid);
  const repos = { list: REPOS, roots: 1, reader, promised: true };
  const tags = { list: TAGS, roots: 1, reader, promised: true };
  const wide = { ...tags, promised: false };
  return [
    { ...repos, scope: "organization", query: within(scaleUid) },
    { ...repos, scope: "folder", query: within(await middleFolder(world, uids, REPOS)) },
    ...(await everythingSeen(world, REPOS, visible, {})),
    { ...tags, scope: FEW, query: { ...childrenOf(few), ...ALL_NAMES } },
    { ...tags, scope: MANY, query: { ...childrenOf(many), ...ALL_NAMES } },
    { ...tags, scope: "repo with many", query: childrenOf(many) },
    { ...wide, scope: "organization, all names", query: { ...within(scaleUid), ...ALL_NAMES } },
    { ...wide, scope: "organization", query: within(scaleUid) },
    { ...wide, scope: "folder", query: within(await middleFolder(world, uids, TAGS)) },
    ...(await everythingSeen(world, TAGS, visible, {})),
  ];
}
