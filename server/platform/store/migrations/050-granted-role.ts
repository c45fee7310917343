import type { Migration } from "./migration";

/** The person who asked reads which role answered it, also once the role is taken from them again. */
export default {
  id: "050-granted-role",
  statements: [`alter table access_requests add column granted_role text collate "C"`],
} satisfies Migration;
