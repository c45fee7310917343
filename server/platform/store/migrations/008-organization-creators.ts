import type { Migration } from "./migration";

export default {
  id: "008-organization-creators",
  statements: [
    // The identity that created an organization: giving the organization away does not free a slot for another.
    // Excludes seeded organizations and those created before this. No foreign key to the identity: a deleted creator
    // still counts.
    `create table organization_creators (
      organization text collate "C" primary key references groups (uid) on delete cascade,
      identity_uid text collate "C" not null)`,
    `create index organization_creators_identity on organization_creators (identity_uid)`,
  ],
} satisfies Migration;
