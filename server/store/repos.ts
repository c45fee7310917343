import { ancestorsOf } from "~/contract/aip";

import { now } from "./clock";
import type { Queries } from "./database";
import { later, standardSort, TIMES, times, type Item, type Table } from "./table";

/** What a synced repo shows of its source instead of its own (contract 1.10), its readme aside. */
const INHERITED = ["catalog_tier", "bundles", "aliases", "active_tags"];

const shown = (column: string): string => `case when s.uid is null then t.${column} else s.${column} end`;
const inherited = (column: string): string => `${shown(column)} as ${column}`;

/** A repo as `t`, the source of a synced one as `s`. */
const SOURCE = "left join repos s on s.uid = t.source_uid and t.sync->'over' is null";

/**
 * The stored part of sync_config; its source is a column of its own.
 *
 * From expirationTime on a copy keeps what it had then, and so it does once none of those who made it may read the source
 * any more. It may be read from the source until that is changed: whoever changes a source first makes what it was its
 * copies' own, where their time is up, and marks them as over.
 */
export interface Sync {
  readonly over?: true | undefined;
  readonly google?: string | undefined;
  readonly amazon?: string | undefined;
  readonly azure?: string | undefined;
  /** ISO time. */
  readonly expirationTime?: string | undefined;
}

/** Makes what copies show of their source their own. `which` of them, as a condition on `t` with the parameters. */
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

/** Before a copy is changed or on its own again. What it writes of its sync says anew whether that is over. */
export const keepOwnCopy = (queries: Queries, uid: string): Promise<void> =>
  keepCopied(queries, "t.uid = $1", [uid]);

const READ = "CAP_REPO_LIST";

/**
 * SQL: whether `t` goes by makers none of whom may read its source any more, as grants are counted for callers: a
 * binding counts at the groups inside the identity's home, and there at everything below. `above` are the source's
 * ancestors.
 */
const unreadable = (above: string): string => `t.sync_makers is not null and not exists (
  select 1 from role_bindings b join identities i on i.uid = b.identity_uid join roles r on r.uid = b.role_uid
  where b.identity_uid = any(t.sync_makers) and b.parent = any(${above}::text[])
    and '${READ}' = any(r.capabilities)
    and (i.parent is null or b.parent = i.parent or starts_with(b.parent, i.parent || '/')))`;

/** Before a source is changed: copies whose time is up, or whose makers lost the source, do not see the change. */
export const keepOverCopies = (queries: Queries, source: string): Promise<void> =>
  keepCopied(
    queries,
    `t.source_uid = $1 and ((t.sync->>'expirationTime')::timestamptz <= $2 or (${unreadable("$3")}))`,
    [source, now(), ancestorsOf(source)],
  );

/** After a copy was changed, which says anew whether its time is up: one whose makers lost the source stays as it is. */
export async function stayOver(queries: Queries, uid: string, source: string): Promise<void> {
  await queries.query(
    `update repos t set sync = t.sync || '{"over": true}' where t.uid = $1 and ${unreadable("$2")}`,
    [uid, ancestorsOf(source)],
  );
}

/** After a change of a source that its copies show. */
export async function touchCopies(queries: Queries, source: string): Promise<void> {
  await queries.query(
    `update repos set updated_at = ${later("updated_at", "$2")} where source_uid = $1 and sync->'over' is null`,
    [source, now()],
  );
}

/** Before a source is deleted. */
export async function endCopies(queries: Queries, source: string): Promise<void> {
  await keepCopied(queries, "t.source_uid = $1", [source]);
  await queries.query(
    `update repos set source_uid = null, sync = null, sync_makers = null, updated_at = ${later("updated_at", "$2")} where source_uid = $1`,
    [source, now()],
  );
}

/** The readme that a repo shows; undefined when there is no such repo. */
export async function readReadme(queries: Queries, uid: string): Promise<Item | undefined> {
  const [row] = await queries.query(
    `select t.uid, t.created_at, coalesce(s.readme, t.readme) as content,
       greatest(t.created_at, t.readme_updated_at, s.readme_updated_at) as updated_at
     from repos t ${SOURCE} where t.uid = $1`,
    [uid],
  );
  return row && { uid: row["uid"], content: row["content"] || undefined, ...times(row) };
}

/** Writes the own readme of a repo; its copies show it from then on. */
export async function writeReadme(queries: Queries, uid: string, content: string): Promise<void> {
  await keepOverCopies(queries, uid);
  await queries.query(
    `update repos set readme = $2, readme_updated_at =
       ${later("greatest(created_at, readme_updated_at)", "$3")} where uid = $1`,
    [uid, content, now()],
  );
}

function syncConfig(source: unknown, sync: Sync | null): Item | undefined {
  if (source === null || sync === null) return undefined;
  const { over: _, ...shown } = sync;
  return { source, ...shown, uniqueTags: false, gracePeriod: false };
}

export const reposTable: Table = {
  name: "repos",
  joins: SOURCE,
  columns: `t.uid, t.name, t.description, t.source_uid, t.sync, t.overlay,
    ${INHERITED.map(inherited).join(", ")}, ${TIMES}`,
  weight: [...["sync", "overlay"].map((column) => `t.${column}`), ...INHERITED.map(shown)]
    .map((value) => `coalesce(pg_column_size(${value}), 0)`)
    .join(" + "),
  sort: standardSort,
  filters: { name: (name, bind) => `t.name = ${bind(name)}` },
  toItem: (row) => ({
    uid: row["uid"],
    name: row["name"],
    description: row["description"],
    catalogTier: row["catalog_tier"],
    bundles: row["bundles"],
    aliases: row["aliases"],
    activeTags: row["active_tags"],
    sync_config: syncConfig(row["source_uid"], row["sync"] as Sync | null),
    customOverlay: row["overlay"],
    ...times(row),
  }),
};
