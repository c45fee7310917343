import type { Migration } from "./migration";

const TIMES = "created_at timestamptz(3) not null, updated_at timestamptz(3) not null";

export default {
  id: "011-identity-providers",
  statements: [
    `create table identity_providers (
      uid text collate "C" primary key,
      parent text collate "C" not null references groups (uid) on delete restrict,
      name text collate "C" not null,
      description text not null default '',
      default_role text collate "C" not null references roles (uid) on delete restrict,
      oidc jsonb not null,
      ${TIMES})`,
    `create index identity_providers_parent on identity_providers (parent, uid)`,
    `create index identity_providers_name on identity_providers (name, uid)`,
    `create index identity_providers_created_at on identity_providers (created_at, uid)`,
    `create index identity_providers_updated_at on identity_providers (updated_at, uid)`,
    `create index identity_providers_role on identity_providers (default_role)`,

    // Encrypted, and separate from the rest, so that exports omit them.
    `create table identity_provider_secrets (
      uid text collate "C" primary key references identity_providers (uid) on delete cascade,
      sealed text not null)`,

    `create table external_group_role_mappings (
      uid text collate "C" primary key,
      parent text collate "C" not null references identity_providers (uid) on delete restrict,
      external_group_id text collate "C" not null,
      role_uid text collate "C" not null references roles (uid) on delete restrict,
      scope text collate "C" not null references groups (uid) on delete restrict,
      ${TIMES},
      constraint external_group_role_mappings_once unique (parent, external_group_id, role_uid, scope))`,
    `create index external_group_role_mappings_parent on external_group_role_mappings (parent, uid)`,
    `create index external_group_role_mappings_name on external_group_role_mappings (external_group_id, uid)`,
    `create index external_group_role_mappings_created_at on external_group_role_mappings (created_at, uid)`,
    `create index external_group_role_mappings_updated_at on external_group_role_mappings (updated_at, uid)`,
    `create index external_group_role_mappings_role on external_group_role_mappings (role_uid)`,
    `create index external_group_role_mappings_scope on external_group_role_mappings (scope)`,

    // A person who signs in elsewhere. The issuer is part of the key: another issuer's subjects are other people.
    `create table upstream_accounts (
      subject text collate "C" primary key,
      provider text collate "C" not null references identity_providers (uid) on delete cascade,
      issuer text collate "C" not null,
      upstream_subject text collate "C" not null,
      email text not null default '',
      email_verified boolean not null default false,
      name text not null default '',
      signed_in_at timestamptz(3) not null,
      ${TIMES},
      constraint upstream_accounts_once unique (provider, issuer, upstream_subject))`,

    // The role bindings created by sign-ins, by mapping; two groups may grant the same role.
    `create table mapped_bindings (
      binding_uid text collate "C" not null references role_bindings (uid) on delete cascade,
      mapping_uid text collate "C" not null references external_group_role_mappings (uid) on delete cascade,
      primary key (binding_uid, mapping_uid))`,
    `create index mapped_bindings_mapping on mapped_bindings (mapping_uid)`,
  ],
} satisfies Migration;
