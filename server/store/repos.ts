import type { Queries } from "./database";
import { standardSort, TIMES, times, type Item, type Table } from "./table";

/** What a synced repo shows of its source instead of its own (contract 1.10), its readme aside. */
const INHERITED = ["catalog_tier", "bundles", "aliases", "active_tags"];

const inherited = (column: string): string =>
  `case when s.uid is null then t.${column} else s.${column} end as ${column}`;

/** A repo as `t`, the source of a synced one as `s`. */
export const SOURCE = "left join repos s on s.uid = t.source_uid";

/** The stored part of sync_config; its source is a column of its own. */
export interface Sync {
  readonly google?: string | undefined;
  readonly amazon?: string | undefined;
  readonly azure?: string | undefined;
  /** ISO time. */
  readonly expirationTime?: string | undefined;
}

/** Makes what copies show of their source their own. `which` of them, as a condition on `t` with the parameter. */
export async function keepCopied(queries: Queries, which: string, parameters: unknown[]): Promise<void> {
  const columns = [...INHERITED, "readme"].map((column) => `${column} = s.${column}`).join(", ");
  await queries.query(
    `update repos t set ${columns} from repos s where s.uid = t.source_uid and ${which}`,
    parameters,
  );
}

function syncConfig(source: unknown, sync: Sync | null): Item | undefined {
  if (source === null || sync === null) return undefined;
  return { source, ...sync, uniqueTags: false, gracePeriod: false };
}

export const reposTable: Table = {
  name: "repos",
  joins: SOURCE,
  columns: `t.uid, t.name, t.description, t.source_uid, t.sync, t.overlay,
    ${INHERITED.map(inherited).join(", ")}, ${TIMES}`,
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
