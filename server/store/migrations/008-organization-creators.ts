import type { Migration } from "./migration";

export const organizationCreators: Migration = {
  id: "008-organization-creators",
  statements: [
    // The identity that made an organization, since giving it away makes no room for another. Not the seed's, nor those made
    // before this. Nothing refers to the identity: somebody who is gone has made it all the same.
    `create table organization_creators (
      organization text collate "C" primary key references groups (uid) on delete cascade,
      identity_uid text collate "C" not null)`,
    `create index organization_creators_identity on organization_creators (identity_uid)`,
  ],
};
