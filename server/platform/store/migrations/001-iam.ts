import { listIndexes, NAMED, TIMES } from "./columns";
import type { Migration } from "./migration";

export default {
  id: "001-iam",
  statements: [
    // Random keys shared by all processes of the service, such as the page token key.
    `create table secrets (name text collate "C" primary key, value text not null)`,

    // A root group is an organization: parent is null. kind and status apply to root groups.
    `create table groups (${NAMED},
      verified boolean not null default false,
      kind text not null default 'ORG_KIND_UNSPECIFIED',
      status text not null default 'ORG_STATUS_READY')`,
    ...listIndexes("groups"),
    // For the tree, which lists the children of one group by name.
    `create index groups_tree on groups (parent, name, uid)`,

    // Built-in roles are at root level: parent is null.
    `create table roles (${NAMED}, capabilities text[] not null)`,
    ...listIndexes("roles"),

    // People are at root level: parent is null. issuer and subject: the exact pair that a token must carry, else null.
    `create table identities (${NAMED},
      relationship text not null,
      definition jsonb not null,
      issuer text collate "C",
      subject text collate "C",
      email text not null default '',
      email_unverified text not null default '',
      company text not null default '',
      last_seen_at timestamptz(3))`,
    ...listIndexes("identities"),
    `create index identities_claims on identities (issuer, subject)`,
    `create index identities_people on identities (uid) where parent is null`,

    // For identities that match by pattern: the trusted issuers whose tokens are tried against them.
    `create table identity_issuers (
      issuer text collate "C" not null,
      identity_uid text collate "C" not null references identities (uid) on delete cascade,
      primary key (issuer, identity_uid))`,
    `create index identity_issuers_identity on identity_issuers (identity_uid)`,
    // Counts changes to these by issuer: caches of an earlier revision are stale.
    `create table pattern_revisions (issuer text collate "C" primary key, revision bigint not null)`,

    `create table role_bindings (
      uid text collate "C" primary key,
      parent text collate "C" not null references groups (uid) on delete restrict,
      identity_uid text collate "C" not null references identities (uid) on delete cascade,
      role_uid text collate "C" not null references roles (uid) on delete restrict,
      ${TIMES},
      constraint role_bindings_once unique (parent, identity_uid, role_uid))`,
    `create index role_bindings_parent on role_bindings (parent, uid)`,
    `create index role_bindings_created_at on role_bindings (created_at, uid)`,
    `create index role_bindings_updated_at on role_bindings (updated_at, uid)`,
    `create index role_bindings_identity on role_bindings (identity_uid, parent)`,
    `create index role_bindings_role on role_bindings (role_uid)`,
  ],
} satisfies Migration;
