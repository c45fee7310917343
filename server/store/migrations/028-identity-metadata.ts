import type { Migration } from "./migration";

export const identityMetadata: Migration = {
  id: "028-identity-metadata",
  statements: [
    `create table identity_metadata (
      identity_uid text collate "C" primary key references identities (uid) on delete cascade,
      fields jsonb not null)`,
  ],
};
