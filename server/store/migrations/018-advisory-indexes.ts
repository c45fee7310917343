import type { Migration } from "./migration";

/** SQL: conditions on the advisory `t`; the long texts do not fit into an index on whole texts. */
export const SHORT_TEXT = "octet_length(t.search) < 2000";
export const LONG_TEXT = "octet_length(t.search) >= 2000";

const own = (condition: string): string => `deleted_at is null and ${condition.replace("t.", "")}`;

export const advisoryIndexes: Migration = {
  id: "018-advisory-indexes",
  statements: [
    // Each search scans an index's pending list: for a batch of ids, that costs more than indexing immediately.
    "alter index advisories_aliases set (fastupdate = off)",
    "select gin_clean_pending_list('advisories_aliases')",
    // Counts text matches without reading the rows, which are five times as wide.
    `create index advisories_text on advisories (uid) include (search) where ${own(SHORT_TEXT)}`,
    `create index advisories_long_text on advisories (uid) where ${own(LONG_TEXT)}`,
  ],
};
