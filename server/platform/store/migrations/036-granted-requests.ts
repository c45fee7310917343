import type { Migration } from "./migration";

/** An answer outlives the role that it gave. */
export default {
  id: "036-granted-requests",
  statements: [
    "alter table access_requests add column granted_at timestamptz(3), add column granted_until timestamptz(3)",
  ],
} satisfies Migration;
