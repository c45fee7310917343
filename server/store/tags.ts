import type { Queries } from "./database";
import { standardSort, TIMES, times, type Table } from "./table";

/** The families of names that lists hide by default (contract 1.11), by the parameter that includes them. */
const FAMILIES = {
  includeReferrers: { family: "referrer", names: /^sha256-/ },
  includeDates: { family: "dated", names: /-20\d{6}$/ },
  includeEpochs: { family: "epoch", names: /-r\d+$/ },
} as const;

/** The family of a name; "" if it is always listed. A name of two families belongs to the first. */
export const familyOf = (name: string): string =>
  Object.values(FAMILIES).find(({ names }) => names.test(name))?.family ?? "";

const families = Object.values(FAMILIES).map(({ family }) => family);
/** The column of tag_counts for a family. */
const columnOf = (family: string): string => (family === "" ? "plain" : family);

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
    values: (query) => [
      "",
      ...Object.entries(FAMILIES).flatMap(([flag, { family }]) => (query[flag] === true ? [family] : [])),
    ],
  },
  weight: "pg_column_size(t.bundles)",
  filters: {
    name: (name, bind) => `t.name = ${bind(name)}`,
    digest: (digest, bind) => `t.digest = ${bind(digest)}`,
    updatedSince: (since, bind) => `t.updated_at > ${bind(new Date(since))}`,
  },
  always: (query, bind) => {
    // A filter by name or digest matches tags of all families.
    if (query["name"] || query["digest"]) return [];
    const hidden = Object.entries(FAMILIES).filter(([flag]) => query[flag] !== true);
    if (hidden.length === 0) return [];
    // Matches the condition of the partial indexes, so that the planner uses them.
    if (hidden.length === Object.keys(FAMILIES).length) return ["t.family = ''"];
    return [`t.family <> all(${bind(hidden.map(([, { family }]) => family))}::text[])`];
  },
  counts: {
    table: "tag_counts",
    sum: (query) =>
      [
        "plain",
        ...Object.entries(FAMILIES).flatMap(([flag, { family }]) => (query[flag] === true ? [family] : [])),
      ]
        .map((column) => `t.${column}`)
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
