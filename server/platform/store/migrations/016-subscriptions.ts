import { TIMES } from "./columns";
import type { Migration } from "./migration";

export default {
  id: "016-subscriptions",
  statements: [
    `create table subscriptions (
      uid text collate "C" primary key,
      parent text collate "C" not null references groups (uid) on delete restrict,
      sink text collate "C" not null,
      ${TIMES},
      constraint subscriptions_once unique (parent, sink))`,
    `create index subscriptions_parent on subscriptions (parent, uid)`,
    `create index subscriptions_sink on subscriptions (sink, uid)`,
    `create index subscriptions_created_at on subscriptions (created_at, uid)`,
    `create index subscriptions_updated_at on subscriptions (updated_at, uid)`,
  ],
} satisfies Migration;
