import type { Migration } from "./migration";

export default {
  id: "024-left-organizations",
  statements: [
    // People who gave up all their roles in an organization: it cannot bind them again, only invite them.
    `create table left_organizations (
      organization text collate "C" not null references groups (uid) on delete cascade,
      identity_uid text collate "C" not null references identities (uid) on delete cascade,
      primary key (organization, identity_uid))`,
    `create index left_organizations_identity on left_organizations (identity_uid)`,
  ],
} satisfies Migration;
