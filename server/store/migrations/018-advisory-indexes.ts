import type { Migration } from "./migration";

/** SQL: of the advisory `t`; the rest has texts that no index of whole texts can hold. */
export const SHORT_TEXT = "octet_length(t.search) < 2000";
export const LONG_TEXT = "octet_length(t.search) >= 2000";

const own = (condition: string): string => `deleted_at is null and ${condition.replace("t.", "")}`;

export const advisoryIndexes: Migration = {
  id: "018-advisory-indexes",
  statements: [
    // What an index puts off is read whole by each search: for a batch of ids that costs more than to write it at once.
    "alter index advisories_aliases set (fastupdate = off)",
    "select gin_clean_pending_list('advisories_aliases')",
    // Counts what a text finds without the rows, which are five times as wide.
    `create index advisories_text on advisories (uid) include (search) where ${own(SHORT_TEXT)}`,
    `create index advisories_long_text on advisories (uid) where ${own(LONG_TEXT)}`,
  ],
};
