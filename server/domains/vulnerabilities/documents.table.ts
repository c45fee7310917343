import type { Queries } from "../../platform/store/database";
import { inRanges, selectionOf, type Visibility } from "../../platform/store/lists/list-parts";
import type { Bind } from "../../platform/store/sql";
import type { Item, Table, Texts } from "../../platform/store/table";
import { LIVE } from "./advisories.table";

/** Advisories, with the filters of the documents list. */
const table: Table = {
  name: "advisories",
  joins: "",
  columns: "",
  sort: {},
  filters: { id: (id, bind) => `t.origin = ${bind(id)}` },
  listFilters: { cves: (cves, bind) => `t.aliases && ${bind(cves)}::text[]` },
  always: () => [LIVE],
  toItem: (row) => row,
};

export interface Asked {
  readonly query: Readonly<Record<string, unknown>>;
  readonly visibility: Visibility;
}

/** SQL: the conditions on `t` that select the requested advisories. */
function conditions({ query, visibility }: Asked, bind: Bind): string {
  const selection = selectionOf(table, query, visibility);
  return selection.ranges.length === 0 ? "false" : inRanges(selection, bind);
}

/** SQL: the times of a package, by the field that sorts. */
const VALUES: Readonly<Record<string, string>> = {
  created_at: ", min(t.created_at) as value",
  updated_at: ", max(t.updated_at) as value",
};

/** SQL: the origin packages of the requested advisories. */
export const originsOf = (asked: Asked, field: string, bind: Bind): string =>
  `select t.origin as key${VALUES[field] ?? ""} from advisories t where ${conditions(asked, bind)} group by t.origin`;

const SCAN: Readonly<Record<string, string>> = { subpackage: "subpackageName", component: "componentName" };

/** Documents use other field names for scan results. */
function documentData(type: unknown, data: unknown): unknown {
  const { scanv1 }: { scanv1?: Item } = Object(data);
  if (type !== "detection" || scanv1 === undefined) return data;
  const renamed = Object.entries(scanv1).map(([key, value]) => [SCAN[key] ?? key, value]);
  return { scanv1: Object.fromEntries(renamed) };
}

/** Only shown in an advisory's own history. */
const UNTOLD = "patched";

type DocumentRow = Texts<"origin" | "advisory_id" | "namespace"> & {
  readonly aliases: readonly string[];
  readonly events: readonly { readonly at: string; readonly type: string; readonly data: unknown }[] | null;
};

/** Returns the documents of these origin packages, in their order. */
export async function readDocuments(
  queries: Queries,
  asked: Asked,
  origins: readonly string[],
  { values, bind }: { readonly values: unknown[]; readonly bind: Bind },
): Promise<Item[]> {
  const rows = await queries.query<DocumentRow>(
    `select t.origin, t.advisory_id, t.aliases, t.namespace, e.events
     from advisories t left join lateral (
       select jsonb_agg(jsonb_build_object('at', created_at, 'type', type, 'data', data) order by created_at, place, source, uid) as events
       from advisory_events v where advisory_uid = t.uid and review_state = 'REVIEW_STATE_APPROVED' and type <> '${UNTOLD}'
         and not exists (select from advisory_sources s
           where s.advisory_uid = v.advisory_uid and s.source = v.source and s.withdrawn_at is not null)
     ) e on true
     where t.origin = any(${bind(origins)}::text[]) and ${conditions(asked, bind)}
     order by t.origin, t.advisory_id, t.uid`,
    values,
  );
  const documents = new Map(origins.map((id): [string, Item[]] => [id, []]));
  for (const row of rows) {
    const events = row.events ?? [];
    documents.get(row.origin)?.push({
      id: row.advisory_id,
      ...(row.aliases.length > 0 && { aliases: row.aliases }),
      ...(row.namespace !== "" && { packageNamespace: row.namespace }),
      ...(events.length > 0 && {
        events: events.map(({ at, type, data }) => ({
          timestamp: new Date(at).toISOString(),
          [type]: documentData(type, data),
        })),
      }),
    });
  }
  // Omit documents that lost their last advisory in the meantime.
  return [...documents].filter(([, list]) => list.length > 0).map(([id, list]) => ({ id, advisories: list }));
}
