import type { Migration } from "./migration";

const key = 'text collate "C"';

export default {
  id: "052-capability-use",
  statements: [
    // Calls of a day. group_uid: where their records are, without a reference: what was done in a folder that is gone still
    // says what its identity needs.
    `create table capability_use (
      identity_uid ${key} not null references identities (uid) on delete cascade,
      group_uid ${key} not null,
      capability ${key} not null,
      day date not null,
      calls bigint not null,
      first_at timestamptz(3) not null,
      last_at timestamptz(3) not null,
      primary key (identity_uid, group_uid, capability, day))`,
    "create index capability_use_group on capability_use (group_uid)",
    "create index capability_use_day on capability_use (day)",
    // Since when use is recorded: one row.
    `create table capability_use_start (
      only_row boolean primary key default true check (only_row),
      started_at timestamptz(3) not null)`,
  ],
} satisfies Migration;
