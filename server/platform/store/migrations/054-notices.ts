import type { Migration } from "./migration";

const key = 'text collate "C"';

export default {
  id: "054-notices",
  statements: [
    // The person who answers for a machine.
    `create table machine_owners (
      uid ${key} primary key references identities (uid) on delete cascade,
      parent ${key} not null,
      owner_uid ${key} not null references identities (uid) on delete cascade,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null)`,
    "create index machine_owners_owner on machine_owners (owner_uid, uid)",
    // What a person wants mail about, and when they were last told what ends.
    `create table notice_settings (
      identity_uid ${key} primary key references identities (uid) on delete cascade,
      muted text[] not null default '{}',
      paused_until timestamptz(3),
      told_at timestamptz(3))`,
    // Few machines have keys: what ends soon is looked for at each visit.
    "create index identities_static_keys on identities (uid) where relationship = 'staticKeys'",
  ],
} satisfies Migration;
