import type { Migration } from "./migration";

/** Columns of which a record may hold many kilobytes. */
const LARGE: readonly (readonly [table: string, column: string, anew: string])[] = [
  ["identities", "definition", "definition::text::jsonb"],
  ["repos", "overlay", "overlay::text::jsonb"],
  ["repos", "bundles", "bundles || '{}'"],
  ["repos", "aliases", "aliases || '{}'"],
  ["repos", "active_tags", "active_tags || '{}'"],
  ["tags", "bundles", "bundles || '{}'"],
];

export const limits: Migration = {
  id: "009-limits",
  statements: [
    // Stored as they are, so that what a page of them takes is known without unpacking one: a page ends by it.
    ...LARGE.flatMap(([table, column, anew]) => [
      `alter table ${table} alter column ${column} set storage external`,
      `update ${table} set ${column} = ${anew} where pg_column_compression(${column}) is not null`,
    ]),

    // Tags of a whole organization by name or time at a flat cost, whichever of the families are asked for.
    ...["name", "created_at", "updated_at"].map(
      (field) => `create index tags_root_${field} on tags (left(uid, 40), family, ${field}, uid)`,
    ),

    // Whose right to read the source a synced repo goes by; null for those that were synced before it was kept.
    `alter table repos add column sync_makers text[]`,
  ],
};
