import { ancestorsOf } from "platform-contract/aip";
import type { RepoInput } from "platform-contract/registry/repos";
import { isObject } from "platform-contract/values";

import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { Parameters, withinAny } from "../../platform/store/sql";
import {
  joinOf,
  later,
  standardSort,
  TIMES,
  times,
  type Item,
  type RecordTable,
  type RowReference,
  type Texts,
  type Timed,
} from "../../platform/store/table";

/** What a synced repo shows from its source instead of its own values, apart from the readme. */
const INHERITED = ["catalog_tier", "bundles", "aliases", "active_tags"];

const shown = (column: string): string => `case when s.uid is null then t.${column} else s.${column} end`;
const inherited = (column: string): string => `${shown(column)} as ${column}`;

/** A repo as `t`, the source of a synced repo as `s`. */
const ITS_SOURCE: RowReference = {
  table: "repos",
  as: "s",
  uid: "t.source_uid",
  when: "t.sync->'over' is null",
};
const SOURCE = joinOf(ITS_SOURCE);

/**
 * The stored part of sync_config; its source has a column of its own.
 *
 * A copy freezes at expirationTime, or once none of its makers can read the source any more. Until the source changes
 * it can still be read from there: whoever changes a source first copies the old values into the copies that are due
 * and marks them as over.
 */
interface Sync {
  readonly over?: true | undefined;
  readonly google?: string | undefined;
  readonly amazon?: string | undefined;
  readonly azure?: string | undefined;
  /** ISO time. */
  readonly expirationTime?: string | undefined;
}

/**
 * Copies what copies show from their source into the copies themselves. `which` is a condition on `t` with
 * `parameters`.
 */
async function keepCopied(queries: Queries, which: string, parameters: unknown[]): Promise<void> {
  const columns = [
    ...[...INHERITED, "readme"].map((column) => `${column} = s.${column}`),
    "readme_updated_at = greatest(t.readme_updated_at, s.readme_updated_at)",
  ].join(", ");
  await queries.query(
    `update repos t set ${columns}, sync = coalesce(t.sync, '{}') || '{"over": true}' from repos s
     where s.uid = t.source_uid and t.sync->'over' is null and ${which}`,
    parameters,
  );
}

/** Call before a copy is changed or detached. The sync that is written next decides again whether it is over. */
export const keepOwnCopy = (queries: Queries, uid: string): Promise<void> =>
  keepCopied(queries, "t.uid = $1", [uid]);

const READ = "CAP_REPO_LIST";

/**
 * SQL: true if none of the makers of `t` can read its source any more. Grants count as for callers: a binding counts at
 * the groups inside the identity's home, and for everything below them. `above` are the source's ancestors.
 */
const unreadable = (above: string): string => `t.sync_makers is not null and not exists (
  select 1 from role_bindings b join identities i on i.uid = b.identity_uid join roles r on r.uid = b.role_uid
  where b.identity_uid = any(t.sync_makers) and (b.expires_at is null or b.expires_at > now()) and b.parent = any(${above}::text[])
    and '${READ}' = any(r.capabilities)
    and (i.parent is null or b.parent = i.parent or starts_with(b.parent, i.parent || '/')))`;

/** Call before a source changes: copies that expired, or whose makers lost the source, do not get the change. */
export const keepOverCopies = (queries: Queries, source: string): Promise<void> =>
  keepCopied(
    queries,
    `t.source_uid = $1 and ((t.sync->>'expirationTime')::timestamptz <= $2 or (${unreadable("$3")}))`,
    [source, now(), ancestorsOf(source)],
  );

/** Call after a copy's sync was written, which resets `over`: one whose makers lost the source stays over. */
export async function stayOver(queries: Queries, uid: string, source: string): Promise<void> {
  await queries.query(
    `update repos t set sync = t.sync || '{"over": true}' where t.uid = $1 and ${unreadable("$2")}`,
    [uid, ancestorsOf(source)],
  );
}

/** Call after a change to a source that its copies show. */
export async function touchCopies(queries: Queries, source: string): Promise<void> {
  await queries.query(
    `update repos set updated_at = ${later("updated_at", "$2")} where source_uid = $1 and sync->'over' is null`,
    [source, now()],
  );
}

/** Call before a source is deleted. */
export async function endCopies(queries: Queries, source: string): Promise<void> {
  await keepCopied(queries, "t.source_uid = $1", [source]);
  await queries.query(
    `update repos set source_uid = null, sync = null, sync_makers = null, updated_at = ${later("updated_at", "$2")} where source_uid = $1`,
    [source, now()],
  );
}

/** The readme that a repo shows; undefined if the repo does not exist. */
export async function readReadme(queries: Queries, uid: string): Promise<Item | undefined> {
  const [row] = await queries.query<Timed & Texts<"uid" | "content">>(
    `select t.uid, t.created_at, coalesce(s.readme, t.readme) as content,
       greatest(t.created_at, t.readme_updated_at, s.readme_updated_at) as updated_at
     from repos t ${SOURCE} where t.uid = $1`,
    [uid],
  );
  return row && { uid: row.uid, content: row.content || undefined, ...times(row) };
}

/** Writes a repo's own readme; its copies show it from then on. */
export async function writeReadme(queries: Queries, uid: string, content: string): Promise<void> {
  await keepOverCopies(queries, uid);
  await queries.query(
    `update repos set readme = $2, readme_updated_at =
       ${later("greatest(created_at, readme_updated_at)", "$3")} where uid = $1`,
    [uid, content, now()],
  );
}

/** Days for which a new source is synced. */
const SYNC_DAYS = 14;

/** The source in a body that is not validated yet, or in a record. */
export function sourceOf(fields: Item | undefined): string | undefined {
  const config = fields?.["sync_config"];
  const source = isObject(config) ? config["source"] : undefined;
  return typeof source === "string" && source !== "" ? source : undefined;
}

function syncOf({ sync_config }: RepoInput, previous: Item | undefined): Sync | undefined {
  if (!sync_config) return undefined;
  const { google, amazon, azure, source } = sync_config;
  const before: Sync & { readonly source?: string } = Object(previous?.["sync_config"]);
  const time = now().getTime();
  const kept = before.source === source ? before.expirationTime : undefined;
  const expirationTime = kept ?? new Date(time + SYNC_DAYS * 24 * 3_600_000).toISOString();
  const over = Date.parse(expirationTime) <= time ? true : undefined;
  return { google, amazon, azure, expirationTime, over };
}

function syncConfig(source: string | null, sync: Sync | null): Item | undefined {
  if (source === null || sync === null) return undefined;
  const { over: _, ...shown } = sync;
  return { source, ...shown, uniqueTags: false, gracePeriod: false };
}

type RepoRow = Timed &
  Texts<"uid" | "name" | "description" | "catalog_tier"> &
  Readonly<Record<"bundles" | "aliases" | "active_tags", readonly string[]>> & {
    readonly source_uid: string | null;
    readonly sync: Sync | null;
    readonly overlay: unknown;
  };

export const reposTable: RecordTable<RepoInput, RepoRow> = {
  name: "repos",
  joins: SOURCE,
  references: [ITS_SOURCE],
  columns: `t.uid, t.name, t.description, t.source_uid, t.sync, t.overlay,
    ${INHERITED.map(inherited).join(", ")}, ${TIMES}`,
  weight: [...["sync", "overlay"].map((column) => `t.${column}`), ...INHERITED.map(shown)]
    .map((value) => `coalesce(pg_column_size(${value}), 0)`)
    .join(" + "),
  sort: standardSort,
  filters: { name: (name, bind) => `t.name = ${bind(name)}` },
  toItem: (row) => ({
    uid: row.uid,
    name: row.name,
    description: row.description,
    catalogTier: row.catalog_tier,
    bundles: row.bundles,
    aliases: row.aliases,
    activeTags: row.active_tags,
    sync_config: syncConfig(row.source_uid, row.sync),
    customOverlay: row.overlay,
    ...times(row),
  }),
  toRow(next, { caller, previous }) {
    const { name, description = "", catalogTier = "", customOverlay } = next;
    const sync = syncOf(next, previous);
    const source = next.sync_config?.source;
    return {
      name,
      description,
      // The zero value of an enum means unset.
      catalog_tier: catalogTier === "CATALOG_TIER_UNSPECIFIED" ? "" : catalogTier,
      bundles: next.bundles ?? [],
      aliases: next.aliases ?? [],
      active_tags: next.activeTags ?? [],
      source_uid: source ?? null,
      // Only a caller who sets the source becomes the maker of the copy.
      ...(source !== sourceOf(previous) && {
        sync_makers: source === undefined ? null : [...caller.identities],
      }),
      sync: sync ? JSON.stringify(sync) : null,
      overlay: customOverlay ? JSON.stringify(customOverlay) : null,
      // It now shows another repo's readme.
      ...(previous && source !== undefined && source !== sourceOf(previous) && { readme_updated_at: now() }),
    };
  },
};

/** A repo as a source of another one. */
export interface Source {
  readonly uid: string;
  readonly description: string;
  /** True if it is a copy of another repo itself. */
  readonly synced: boolean;
}

/**
 * Finds the repo of a uid, or of a name, in an organization of this name if one is given. Undefined if there is none in
 * these groups, or several, so that it does not reveal whether one exists elsewhere.
 */
export async function findRepo(
  queries: Queries,
  {
    uid,
    name,
    organization,
  }: {
    readonly uid?: string;
    readonly name?: string;
    readonly organization?: string | undefined;
  },
  groups: readonly string[],
): Promise<Source | undefined> {
  const { values, bind } = new Parameters();
  const which = [
    uid === undefined ? `t.name = ${bind(name)}` : `t.uid = ${bind(uid)}`,
    ...(organization === undefined ? [] : [`root.name = ${bind(organization)}`]),
  ];
  const found = await queries.query<Source>(
    `select t.uid, t.description, t.source_uid is not null as synced
     from repos t join groups root on root.uid = left(t.uid, 40)
     where ${which.join(" and ")} and ${withinAny("t.parent", groups, bind)} limit 2`,
    values,
  );
  return found.length === 1 ? found[0] : undefined;
}

/** A repo's own readme, and whether it shows that of a source instead; locks the repo until the transaction ends. */
export async function lockReadme(
  queries: Queries,
  uid: string,
): Promise<{ readonly readme: string; readonly synced: boolean } | undefined> {
  const [row] = await queries.query<{ readme: string; synced: boolean }>(
    "select readme, source_uid is not null as synced from repos where uid = $1 for update",
    [uid],
  );
  return row;
}

/** True if a repo exists. */
export async function hasRepo(queries: Queries, uid: string): Promise<boolean> {
  return (await queries.query("select 1 from repos where uid = $1", [uid])).length > 0;
}

/** The manifests of an image, by architecture; sizes in bytes. */
export const manifestsOf = (
  queries: Queries,
  repo: string,
  digest: string,
): Promise<{ readonly architecture: string; readonly size: number | bigint }[]> =>
  queries.query(
    "select architecture, size from manifests where repo_uid = $1 and digest = $2 order by architecture",
    [repo, digest],
  );
