import type { Migration } from "./migration";

export default {
  id: "056-ending-events",
  statements: [
    // Until when subscriptions were told of what ends: one row.
    `create table ending_events (
      only_row boolean primary key default true check (only_row),
      until timestamptz(3) not null)`,
  ],
} satisfies Migration;
