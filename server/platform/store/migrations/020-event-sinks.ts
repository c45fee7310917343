import type { Migration } from "./migration";

export default {
  id: "020-event-sinks",
  statements: [
    // What is known of each subscription's sink, for all processes and beyond its pending events. failures: since the last
    // success. rests_until: nothing is sent before, unless it works. full_since: new events are dropped since then.
    `create table event_sinks (
      subscription_uid text collate "C" primary key references subscriptions (uid) on delete cascade,
      works boolean not null default false,
      failures int not null default 0,
      rests_until timestamptz(3) not null default 'epoch',
      full_since timestamptz(3),
      dropped bigint not null default 0)`,
  ],
} satisfies Migration;
