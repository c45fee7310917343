import type { Queries } from "../../platform/store/database";
import { standardSort, TIMES, times, type Table } from "../../platform/store/table";

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

export const tagsTable: Table = {
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
    uid: row["uid"],
    name: row["name"],
    digest: row["digest"],
    deprecated: row["deprecated"],
    bundles: row["bundles"],
    ...times(row),
  }),
};
