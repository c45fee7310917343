import type { Migration } from "./migration";

/** Columns that may hold many kilobytes per record. */
const LARGE: readonly (readonly [table: string, column: string, anew: string])[] = [
  ["identities", "definition", "definition::text::jsonb"],
  ["repos", "overlay", "overlay::text::jsonb"],
  ["repos", "bundles", "bundles || '{}'"],
  ["repos", "aliases", "aliases || '{}'"],
  ["repos", "active_tags", "active_tags || '{}'"],
  ["tags", "bundles", "bundles || '{}'"],
];

export default {
  id: "009-limits",
  statements: [
    // Stored uncompressed, so that a page, which ends at a size limit, knows a record's size without unpacking it.
    ...LARGE.flatMap(([table, column, anew]) => [
      `alter table ${table} alter column ${column} set storage external`,
      `update ${table} set ${column} = ${anew} where pg_column_compression(${column}) is not null`,
    ]),

    // Lists an organization's tags by name or time at a flat cost, for any combination of families.
    ...["name", "created_at", "updated_at"].map(
      (field) => `create index tags_root_${field} on tags (left(uid, 40), family, ${field}, uid)`,
    ),

    // The identities whose right to read the source a synced repo depends on; null if it was synced before this was
    // stored.
    `alter table repos add column sync_makers text[]`,
  ],
} satisfies Migration;
