import type { Migration } from "./migration";

export default {
  id: "028-identity-metadata",
  statements: [
    `create table identity_metadata (
      identity_uid text collate "C" primary key references identities (uid) on delete cascade,
      fields jsonb not null)`,
  ],
} satisfies Migration;
