import type { Migration } from "./migration";

export default {
  id: "018-advisory-indexes",
  statements: [
    // Each search scans an index's pending list: for a batch of ids, that costs more than indexing immediately.
    "alter index advisories_aliases set (fastupdate = off)",
    "select gin_clean_pending_list('advisories_aliases')",
    // Counts text matches without reading the rows, which are five times as wide.
    `create index advisories_text on advisories (uid) include (search) where deleted_at is null and octet_length(search) < 2000`,
    `create index advisories_long_text on advisories (uid) where deleted_at is null and octet_length(search) >= 2000`,
  ],
} satisfies Migration;
