import type { Migration } from "./migration";

/** The person who asked reads whose answer it is. */
export default {
  id: "048-request-answers",
  statements: [`alter table access_requests add column decided_by text collate "C"`],
} satisfies Migration;
