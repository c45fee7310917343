import type { Migration } from "./migration";

/** SQL: true for an entry of an operation that changed more records than the entry describes. */
const LARGE = `entry ~ '"relatedCount":(10[1-9]|1[1-9][0-9]|[2-9][0-9]{2}|[1-9][0-9]{3,})'`;

export default {
  id: "025-audit-large",
  statements: [`create index audit_entries_large on audit_entries (chain, created_at) where ${LARGE}`],
} satisfies Migration;
