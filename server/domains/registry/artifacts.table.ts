import type { Ecosystem } from "platform-contract/libraries/artifacts";

import type { Queries } from "../../platform/store/database";
import { anywhere, type Bind } from "../../platform/store/sql";
import { times, type Item, type Texts, type Timed } from "../../platform/store/table";

/** A sort column for keyed pages. */
interface Sort {
  readonly sql: string;
  readonly type: "text" | "timestamptz" | "bigint";
}

const TIMES: Readonly<Record<string, Sort>> = {
  created_at: { sql: "t.created_at", type: "timestamptz" },
  updated_at: { sql: "t.updated_at", type: "timestamptz" },
};

/** By sort field; `uid` is the key itself. */
export const ARTIFACT_SORT: Readonly<Record<string, Sort>> = {
  ...TIMES,
  name: { sql: "lower(t.name)", type: "text" },
  version_count: { sql: "t.version_count::bigint", type: "bigint" },
};
export const VERSION_SORT: Readonly<Record<string, Sort>> = {
  ...TIMES,
  version: { sql: "t.sort_key", type: "text" },
  size_bytes: { sql: "t.size_bytes", type: "bigint" },
};

const keyAnd = (sort: Sort | undefined): string => `t.uid as key${sort ? `, ${sort.sql} as value` : ""}`;

export interface ArtifactFilters {
  readonly ecosystems: readonly string[];
  readonly query?: string;
  readonly cudaVersion?: string;
  readonly remediated?: boolean;
}

/** SQL: the artifacts that match. The conditions on versions must all hold for a single version. */
export function artifactKeys(filters: ArtifactFilters, sort: Sort | undefined, bind: Bind): string {
  const { ecosystems, query, cudaVersion, remediated } = filters;
  const version = [
    ...(remediated ? ["v.remediated"] : []),
    ...(cudaVersion
      ? [`v.cuda_versions <> '{}' and v.cuda_versions @> array[${bind(cudaVersion)}::text]`]
      : []),
  ];
  const conditions = [
    `t.ecosystem = any(${bind(ecosystems)}::text[])`,
    ...(query ? [`t.search like lower(${bind(anywhere(query))}::text)`] : []),
    ...(version.length > 0
      ? [`t.uid in (select v.artifact_uid from artifact_versions v where ${version.join(" and ")})`]
      : []),
  ];
  return `select ${keyAnd(sort)} from artifacts t where ${conditions.join(" and ")}`;
}

/** SQL: the versions of an artifact. */
export const versionKeys = (artifact: string, sort: Sort | undefined, bind: Bind): string =>
  `select ${keyAnd(sort)} from artifact_versions t where t.artifact_uid = ${bind(artifact)}`;

/** Reads rows by uid, in the order of `uids`. */
async function inTheirOrder<R extends Texts<"uid">>(
  queries: Queries,
  select: string,
  uids: readonly string[],
  toItem: (row: R) => Item,
): Promise<Item[]> {
  const rows = await queries.query<R>(`${select} where t.uid = any($1::text[])`, [uids]);
  const byUid = new Map(rows.map((row) => [row.uid, row]));
  return uids.flatMap((uid) => {
    const row = byUid.get(uid);
    return row ? [toItem(row)] : [];
  });
}

type ArtifactRow = Timed &
  Texts<"uid" | "name" | "description" | "ecosystem" | "latest_version"> & { readonly version_count: number };
type VersionRow = Timed &
  Texts<"uid" | "name" | "version" | "description"> & { readonly size_bytes: number | bigint };

export const readArtifacts = (queries: Queries, uids: readonly string[]): Promise<Item[]> =>
  inTheirOrder(queries, "select t.* from artifacts t", uids, (row: ArtifactRow) => ({
    uid: row.uid,
    name: row.name,
    description: row.description,
    ecosystem: row.ecosystem,
    latestVersion: row.latest_version,
    versionCount: row.version_count,
    ...times(row),
  }));

export const readVersions = (queries: Queries, uids: readonly string[]): Promise<Item[]> =>
  inTheirOrder(
    queries,
    "select t.*, a.name from artifact_versions t join artifacts a on a.uid = t.artifact_uid",
    uids,
    (row: VersionRow) => ({
      uid: row.uid,
      name: row.name,
      version: row.version,
      description: row.description,
      sizeBytes: String(row.size_bytes),
      ...times(row),
    }),
  );

export async function hasArtifact(queries: Queries, uid: string): Promise<boolean> {
  const rows = await queries.query("select 1 from artifacts where uid = $1", [uid]);
  return rows.length > 0;
}

/** The number of artifacts in each of these ecosystems, in the given order. */
export async function countByEcosystem(
  queries: Queries,
  ecosystems: readonly Ecosystem[],
): Promise<{ ecosystem: string; totalCount: string }[]> {
  const rows = await queries.query<{ ecosystem: string; n: unknown }>(
    "select ecosystem, count(*) as n from artifacts where ecosystem = any($1::text[]) group by ecosystem",
    [ecosystems],
  );
  const counts = new Map(rows.map(({ ecosystem, n }) => [ecosystem, String(n)]));
  return ecosystems.map((ecosystem) => ({ ecosystem, totalCount: counts.get(ecosystem) ?? "0" }));
}
