import type { Advisory, InstalledVersion } from "platform-contract/vulnerabilities/advisories";
import { isWithin, parentOf } from "platform-contract/aip";

import type { Queries } from "../../platform/store/database";
import { grouped } from "../../platform/store/grouped";
import { Parameters, withinAny, type Bind } from "../../platform/store/sql";
import { standardSort, TIMES, type Item, type Table, type Texts } from "../../platform/store/table";
import { advisoriesTable, advisoryOf, LIVE, type AdvisoryRow } from "./advisories.table";
import {
  installedPackage,
  keysOfTag,
  unknownPackages,
  type InstalledPackage,
  type PackageRow,
} from "./image-packages.table";
import { decideVersion } from "./installed-versions.table";
import { tagsTable } from "../registry/tags.table";

/** Which advisories: those with one of these names, of a kind that names packages of images. */
export interface NamedPackage {
  readonly aliases?: readonly string[] | undefined;
  readonly advisoryIds?: readonly string[] | undefined;
  readonly artifactNames?: readonly string[] | undefined;
}

/** The advisories about packages of images that have one of these names, in these groups. */
export async function advisoriesNamed(
  queries: Queries,
  { aliases = [], advisoryIds = [], artifactNames = [] }: NamedPackage,
  groups: readonly string[],
): Promise<Advisory[]> {
  const { values, bind } = new Parameters();
  const named = [
    ...(aliases.length > 0 ? [`t.aliases && ${bind(aliases)}::text[]`] : []),
    ...(advisoryIds.length > 0 ? [`t.advisory_id = any(${bind(advisoryIds)}::text[])`] : []),
    ...(artifactNames.length > 0 ? [`t.artifact_name = any(${bind(artifactNames)}::text[])`] : []),
  ];
  if (named.length === 0) return [];
  const { columns, joins } = advisoriesTable;
  const rows = await queries.query<AdvisoryRow>(
    `select ${columns} from advisories t ${joins}
     where (${named.join(" or ")}) and t.artifact_type = 'apk' and ${LIVE} and ${withinAny("t.parent", groups, bind)}
     order by t.uid`,
    values,
  );
  return rows.map(advisoryOf);
}

type ByName = ReadonlyMap<string, readonly Advisory[]>;

const byName = (advisories: readonly Advisory[]): ByName =>
  grouped(advisories, ({ artifactName = "" }) => artifactName);

/** The advisories that name a package, or the one that it is built from. */
const namedBy = (advisories: ByName, { name, origin }: PackageRow): readonly Advisory[] =>
  [...new Set([name, origin])].flatMap((one) => advisories.get(one) ?? []);

/** What advisories say of one package. */
const decisionsOf = (advisories: readonly Advisory[], one: InstalledPackage): InstalledVersion[] =>
  advisories
    .filter((advisory) => one.concerns(advisory))
    .map((advisory) => ({
      packageName: one.name,
      architecture: one.architecture,
      version: one.version,
      advisoryUid: advisory.uid,
      ...decideVersion(advisory, one.version),
    }));

type Verdict = "affected" | "unknown" | "not_affected";
const VERDICT_OF: Readonly<Record<string, Verdict>> = {
  VERSION_VERDICT_AFFECTED: "affected",
  VERSION_VERDICT_UNKNOWN: "unknown",
  VERSION_VERDICT_NOT_AFFECTED: "not_affected",
};

/** Packages in the versions that images hold, by what the advisories of one group say of them. */
interface Decided {
  readonly group: string;
  readonly packages: Readonly<Record<Verdict, readonly PackageRow[]>>;
}

const PACKAGE = "name, version, architecture, origin, distribution";
const ofNames = (bind: Bind, names: readonly string[]): string => {
  const all = bind(names);
  return `(p.name = any(${all}::text[]) or p.origin = any(${all}::text[]))`;
};
const namesOf = (advisories: readonly Advisory[]): string[] => [
  ...new Set(advisories.flatMap(({ artifactName }) => artifactName ?? [])),
];

/** Decisions of one request; each takes some microseconds. */
const MOST_DECISIONS = 200_000;

/**
 * Decides once for each version of a package that any image holds: there are few, and many images. Undefined if that are
 * too many decisions for one request.
 */
async function decideAll(queries: Queries, advisories: readonly Advisory[]): Promise<Decided[] | undefined> {
  const { values, bind } = new Parameters();
  const rows = await queries.query<PackageRow>(
    `select distinct ${PACKAGE} from image_packages p where ${ofNames(bind, namesOf(advisories))}`,
    values,
  );
  const all = byName(advisories);
  if (rows.reduce((sum, row) => sum + namedBy(all, row).length, 0) > MOST_DECISIONS) return undefined;
  const groups = grouped(advisories, ({ uid }) => parentOf(uid));
  return [...groups].map(([group, some]) => {
    const own = byName(some);
    const packages: Record<Verdict, PackageRow[]> = { affected: [], unknown: [], not_affected: [] };
    for (const row of rows) {
      const said = decisionsOf(namedBy(own, row), installedPackage(row)).map(
        ({ verdict }) => VERDICT_OF[verdict ?? ""],
      );
      for (const verdict of ["affected", "unknown", "not_affected"] as const)
        if (said.includes(verdict)) packages[verdict].push(row);
    }
    return { group, packages };
  });
}

/** SQL: true for a tag whose image holds one of these packages. */
function holding(decided: readonly Decided[], verdict: Verdict, bind: Bind): string {
  const tests = decided.flatMap(({ group, packages: { [verdict]: rows } }) => {
    if (rows.length === 0) return [];
    const among = bind(JSON.stringify(rows));
    return [
      `${withinAny("t.parent", [group], bind)} and (${["t.digest", "t.parent || '@' || t.digest"]
        .map(
          (image) => `${image} in (select p.digest from image_packages p
        join jsonb_to_recordset(${among}::jsonb) as a (${PACKAGE.replaceAll(/\w+/g, "$& text")})
        on ${PACKAGE.replaceAll(/(\w+),? ?/g, "p.$1 = a.$1 and ")} true)`,
        )
        .join(" or ")})`,
    ];
  });
  return tests.length === 0 ? "false" : `(${tests.join(" or ")})`;
}

const UNKNOWN_IMAGE = unknownPackages("t");

type Query = Readonly<Record<string, unknown>>;

/** SQL: true for a tag whose worst verdict is this; without one, for a tag that holds such a package. */
function worst(decided: readonly Decided[], query: Query, bind: Bind): string {
  const has = (one: Verdict) => holding(decided, one, bind);
  switch (verdictIn(query)) {
    case "affected":
      return has("affected");
    case "unknown": {
      const undecided = has("unknown");
      const why = {
        true: undecided,
        false: `not ${undecided} and ${UNKNOWN_IMAGE}`,
        undefined: `(${undecided} or ${UNKNOWN_IMAGE})`,
      }[String(query["undecided"])];
      return `(not ${has("affected")} and ${why})`;
    }
    case "not_affected":
      return `(not ${has("affected")} and not ${has("unknown")} and ${has("not_affected")}
        and not ${UNKNOWN_IMAGE})`;
    default:
      return `(${has("affected")} or ${has("unknown")} or ${has("not_affected")})`;
  }
}

type PackageTagRow = Texts<"uid" | "name" | "digest" | "repo_name"> & { readonly deprecated: boolean };

const verdictIn = ({ verdict }: Query): Verdict | undefined => VERDICT_OF[String(verdict)];

/**
 * The tags whose images hold packages that advisories are about, as a table to list; with a package, only those that hold
 * it too. Undefined if these are too many advisories and versions to decide at once.
 */
export async function packageTagsTable(
  queries: Queries,
  advisories: readonly Advisory[],
  held?: HeldPackage,
): Promise<Table<PackageTagRow> | undefined> {
  const decided = await decideAll(queries, advisories);
  return (
    decided &&
    tableOf((query, bind) => {
      const answer = worst(decided, query, bind);
      return held ? `(${answer} and ${holds(held, bind)})` : answer;
    })
  );
}

/** A package in any version, or in one. */
export interface HeldPackage {
  readonly packageName: string;
  readonly packageVersion?: string | undefined;
}

/** SQL: true for a package `p` of an image that is this one or built from it. Without a revision, in each revision. */
function isHeld({ packageName, packageVersion }: HeldPackage, bind: Bind): string {
  const named = ofNames(bind, [packageName]);
  if (packageVersion === undefined) return named;
  const version = bind(packageVersion);
  return `${named} and (p.version = ${version}::text or p.version ~ '-r[0-9]+$'
    and regexp_replace(p.version, '-r[0-9]+$', '') = ${version}::text)`;
}

/** SQL: true for a tag whose image holds this package. */
const holds = (held: HeldPackage, bind: Bind): string =>
  `exists (select 1 from image_packages p where p.digest in ${keysOfTag("t")} and ${isHeld(held, bind)})`;

/** The tags whose images hold a package; with the verdict "unknown", those whose packages are unknown. */
export const holdersTable = (held: HeldPackage): Table<PackageTagRow> =>
  tableOf((query, bind) => {
    switch (verdictIn(query)) {
      case undefined:
        return holds(held, bind);
      case "unknown":
        // Nothing is said of a package that is only named, so nothing is undecided.
        return query["undecided"] === true ? "false" : `(not ${holds(held, bind)} and ${UNKNOWN_IMAGE})`;
      default:
        return "false";
    }
  });

function tableOf(holds: (query: Query, bind: Bind) => string): Table<PackageTagRow> {
  const { always } = tagsTable;
  return {
    name: "tags",
    joins: "join repos r on r.uid = t.parent",
    columns: `t.uid, t.name, t.digest, t.deprecated, r.name as repo_name, ${TIMES}`,
    sort: standardSort,
    filters: {},
    // Dated names and builds name images too.
    always: (query, bind) => [
      ...(always?.({ includeDates: true, includeEpochs: true }, bind) ?? []),
      holds(query, bind),
    ],
    toItem: (row) => ({
      uid: row.uid,
      name: row.name,
      digest: row.digest,
      deprecated: row.deprecated,
      repoName: row.repo_name,
    }),
  };
}

type TaggedPackage = PackageRow & { readonly tag: string };

/** The packages in the images of tags that a condition on `p` selects. */
async function packagesIn(
  queries: Queries,
  tags: readonly Item[],
  where: (bind: Bind) => string,
): Promise<TaggedPackage[]> {
  const { values, bind } = new Parameters();
  const uids = bind(tags.map(({ uid }) => uid));
  return queries.query<TaggedPackage>(
    `select t.uid as tag, ${PACKAGE.replaceAll(/\w+/g, "p.$&")} from tags t
       join image_packages p on p.digest in ${keysOfTag("t")}
     where t.uid = any(${uids}::text[]) and ${where(bind)}
     order by p.name, p.architecture`,
    values,
  );
}

/** Adds to each tag the packages in its image that are this one or built from it. */
export async function withHeld(queries: Queries, tags: readonly Item[], held: HeldPackage): Promise<Item[]> {
  const rows = await packagesIn(queries, tags, (bind) => isHeld(held, bind));
  return tags.map((tag) => ({
    ...tag,
    packages: rows
      .filter((row) => row.tag === tag["uid"])
      .map(({ name, origin, architecture, version }) => ({
        packageName: name,
        ...(origin !== "" && origin !== name && { packageOrigin: origin }),
        architecture,
        version,
      })),
  }));
}

/** Adds to each tag what the advisories say of the packages in its image. */
export async function withPackages(
  queries: Queries,
  tags: readonly Item[],
  advisories: readonly Advisory[],
): Promise<Item[]> {
  const rows = await packagesIn(queries, tags, (bind) => ofNames(bind, namesOf(advisories)));
  return tags.map((tag) => {
    const own = byName(advisories.filter(({ uid }) => isWithin(String(tag["uid"]), parentOf(uid))));
    const packages = rows
      .filter((row) => row.tag === tag["uid"])
      .flatMap((row) => decisionsOf(namedBy(own, row), installedPackage(row)));
    return { ...tag, packages };
  });
}
