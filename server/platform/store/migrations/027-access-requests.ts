import type { Migration } from "./migration";

export default {
  id: "027-access-requests",
  statements: [
    // Without a reference to the group: asking must not reveal whether it exists.
    `create table access_requests (
      uid text collate "C" primary key,
      parent text collate "C" not null,
      identity_uid text collate "C" not null references identities (uid) on delete cascade,
      message text not null default '',
      declined text,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null)`,
    `create index access_requests_parent on access_requests (parent, created_at)`,
    `create index access_requests_identity on access_requests (identity_uid, created_at)`,
  ],
} satisfies Migration;
