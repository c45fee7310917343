import type { Migration } from "./migration";

export default {
  id: "058-ending-events",
  statements: [
    // One row: until when subscriptions were told of what ends. Earlier ends are not told after the fact.
    "create table ending_events (until timestamptz(3) not null)",
    "insert into ending_events (until) values (now())",
  ],
} satisfies Migration;
