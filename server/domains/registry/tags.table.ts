import type { tags } from "platform-contract/registry/tags";
import type { InputOf } from "platform-contract/resource";

import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import {
  later,
  standardSort,
  TIMES,
  times,
  type RecordTable,
  type Texts,
  type Timed,
} from "../../platform/store/table";

/** The families of names that lists hide by default, by the parameter that includes them. */
const FAMILIES = {
  includeReferrers: { family: "referrer", names: /^sha256-/ },
  includeDates: { family: "dated", names: /-20\d{6}$/ },
  includeEpochs: { family: "epoch", names: /-r\d+$/ },
} as const;

/** The family of a name; "" if it is always listed. A name of two families belongs to the first. */
export const familyOf = (name: string): string =>
  Object.values(FAMILIES).find(({ names }) => names.test(name))?.family ?? "";

const families: string[] = Object.values(FAMILIES).map(({ family }) => family);
/** The column of tag_counts for a family. */
const columnOf = (family: string): string => (family === "" ? "plain" : family);

/** The families that a list shows. A filter by name or digest matches tags of all families. */
function shown(query: Readonly<Record<string, unknown>>): string[] {
  const all = query["name"] || query["digest"];
  const found = Object.entries(FAMILIES).filter(([flag]) => all || query[flag] === true);
  return ["", ...found.map(([, { family }]) => family)];
}

/** Adjusts the tag count of a repo; call it in the transaction that changes the tags. */
export async function countTag(queries: Queries, repo: string, name: string, by: 1 | -1): Promise<void> {
  const column = columnOf(familyOf(name));
  await queries.query(
    `insert into tag_counts (uid, ${column}) values ($1, $2)
     on conflict (uid) do update set ${column} = tag_counts.${column} + excluded.${column}`,
    [repo, by],
  );
}

/** Recounts all tags, after bulk writes. */
export async function recountTags(queries: Queries): Promise<void> {
  const counts = ["", ...families].map((family) => `count(*) filter (where family = '${family}')`);
  await queries.query("delete from tag_counts");
  await queries.query(
    `insert into tag_counts (uid, ${["", ...families].map(columnOf).join(", ")})
     select parent, ${counts.join(", ")} from tags group by parent`,
  );
}

type TagInput = InputOf<typeof tags>;
type TagRow = Timed &
  Texts<"uid" | "name" | "digest"> & { readonly deprecated: boolean; readonly bundles: readonly string[] };

export const tagsTable: RecordTable<TagInput, TagRow> = {
  name: "tags",
  joins: "",
  columns: `t.uid, t.name, t.digest, t.deprecated, t.bundles, ${TIMES}`,
  sort: standardSort,
  childOrders: ["name", "created_at", "updated_at"],
  rootOrders: {
    fields: ["name", "created_at", "updated_at"],
    split: "family",
    values: shown,
  },
  weight: "pg_column_size(t.bundles)",
  filters: {
    name: (name, bind) => `t.name = ${bind(name)}`,
    digest: (digest, bind) => `t.digest = ${bind(digest)}`,
    updatedSince: (since, bind) => `t.updated_at > ${bind(new Date(since))}`,
  },
  always: (query, bind) => {
    const visible = shown(query);
    const hidden = families.filter((family) => !visible.includes(family));
    if (hidden.length === 0) return [];
    // Matches the condition of the partial indexes, so that the planner uses them.
    if (hidden.length === families.length) return ["t.family = ''"];
    return [`t.family <> all(${bind(hidden)}::text[])`];
  },
  counts: {
    table: "tag_counts",
    sum: (query) =>
      shown(query)
        .map((family) => `t.${columnOf(family)}`)
        .join(" + "),
  },
  toItem: (row) => ({
    uid: row.uid,
    name: row.name,
    digest: row.digest,
    deprecated: row.deprecated,
    bundles: row.bundles,
    ...times(row),
  }),
  toRow: ({ name, digest, deprecated = false, bundles = [] }) => ({
    name,
    digest,
    deprecated,
    bundles,
    family: familyOf(name),
  }),
};

/**
 * Creates a tag with this uid, or moves the tag of its name to another image. One statement, so that two in parallel make
 * one tag.
 */
export async function putTag(
  queries: Queries,
  uid: string,
  repo: string,
  { name, digest, deprecated = false, bundles = [] }: TagInput,
): Promise<{ readonly uid: string; readonly updated_at: Date } | undefined> {
  const [row] = await queries.query<{ uid: string; updated_at: Date }>(
    `insert into tags (uid, parent, name, digest, deprecated, bundles, family, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
     on conflict on constraint tags_once do update set digest = excluded.digest, deprecated = excluded.deprecated,
       bundles = excluded.bundles,
       updated_at = case when (tags.digest, tags.deprecated, tags.bundles)
           is distinct from (excluded.digest, excluded.deprecated, excluded.bundles)
         then ${later("tags.updated_at", "excluded.updated_at")} else tags.updated_at end
     returning uid, updated_at`,
    [uid, repo, name, digest, deprecated, bundles, familyOf(name), now()],
  );
  return row;
}
