import { standardSort, TIMES, times, type Table } from "./table";

/** The families of names that a list hides unless it is asked for them (contract 1.11), by what asks. */
const FAMILIES = {
  includeReferrers: { family: "referrer", names: /^sha256-/ },
  includeDates: { family: "dated", names: /-20\d{6}$/ },
  includeEpochs: { family: "epoch", names: /-r\d+$/ },
} as const;

/** Which family a name belongs to; "" for those that are always listed. A name of two families counts to the first. */
export const familyOf = (name: string): string =>
  Object.values(FAMILIES).find(({ names }) => names.test(name))?.family ?? "";

export const tagsTable: Table = {
  name: "tags",
  joins: "",
  columns: `t.uid, t.name, t.digest, t.deprecated, t.bundles, ${TIMES}`,
  sort: standardSort,
  filters: {
    name: (name, bind) => `t.name = ${bind(name)}`,
    digest: (digest, bind) => `t.digest = ${bind(digest)}`,
    updatedSince: (since, bind) => `t.updated_at > ${bind(new Date(since))}`,
  },
  always: (query, bind) => {
    const hidden = Object.entries(FAMILIES).filter(([flag]) => query[flag] !== true);
    if (hidden.length === 0) return [];
    // Worded like the partial indexes, so that the planner knows them.
    if (hidden.length === Object.keys(FAMILIES).length) return ["t.family = ''"];
    return [`t.family <> all(${bind(hidden.map(([, { family }]) => family))}::text[])`];
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
