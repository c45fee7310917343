import type { Migration } from "./migration";

export default {
  id: "029-memberships",
  statements: [
    // How people and an organization stand to each other: `offered` by a role binding that somebody else made, `accepted`
    // by the person, or `left`. People who were bound before this was recorded count as having accepted.
    `create table memberships (
      organization text collate "C" not null references groups (uid) on delete cascade,
      identity_uid text collate "C" not null references identities (uid) on delete cascade,
      state text not null,
      offered_by text collate "C" references identities (uid) on delete set null,
      decided_at timestamptz(3) not null default now(),
      primary key (organization, identity_uid))`,
    `create index memberships_identity on memberships (identity_uid, state)`,
    `create index memberships_offered_by on memberships (offered_by)`,
    `insert into memberships (organization, identity_uid, state)
     select organization, identity_uid, 'left' from left_organizations`,
    `insert into memberships (organization, identity_uid, state)
     select distinct left(b.parent, 40), b.identity_uid, 'accepted' from role_bindings b
     join identities i on i.uid = b.identity_uid where i.parent is null on conflict do nothing`,
    `drop table left_organizations`,
  ],
} satisfies Migration;
