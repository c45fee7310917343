import type { Migration } from "./migration";

const key = 'text collate "C"';
const TIMES = "created_at timestamptz(3) not null, updated_at timestamptz(3) not null";

export default {
  id: "030-scim",
  statements: [
    // version is the etag of the settings. Only hashes of the tokens; expires_at is null for one that never expires.
    `create table scim_settings (
      uid ${key} primary key references identity_providers (uid) on delete cascade,
      enabled boolean not null default false,
      version integer not null default 0,
      hash ${key},
      expires_at timestamptz(3),
      previous_hash ${key},
      previous_expires_at timestamptz(3),
      revoked_at timestamptz(3),
      pushed_at timestamptz(3))`,

    // A person whom the directory pushed has an account before they sign in, so without a subject of their issuer.
    `alter table upstream_accounts alter column upstream_subject drop not null`,
    `alter table upstream_accounts alter column signed_in_at drop not null`,
    // external_id: as pushed. deactivated_at: the directory has deactivated or removed the person.
    `alter table upstream_accounts add column external_id ${key}`,
    `alter table upstream_accounts add column deactivated_at timestamptz(3)`,
    `create unique index upstream_accounts_external on upstream_accounts (provider, issuer, external_id)
      where external_id is not null`,

    // resource: the attributes as in RFC 7643, without id, meta and groups. user_name is in lower case.
    `create table scim_users (
      id ${key} primary key,
      provider ${key} not null references identity_providers (uid) on delete cascade,
      user_name ${key} not null,
      external_id ${key},
      active boolean not null,
      resource jsonb not null,
      account ${key} references upstream_accounts (subject) on delete set null,
      version integer not null default 1,
      ${TIMES},
      constraint scim_users_name unique (provider, user_name),
      constraint scim_users_external unique (provider, external_id))`,
    `create index scim_users_order on scim_users (provider, created_at, id)`,
    `create index scim_users_account on scim_users (account)`,

    // key: what a mapping names, the external id or else the name. name_key is in lower case.
    `create table scim_groups (
      id ${key} primary key,
      provider ${key} not null references identity_providers (uid) on delete cascade,
      name text not null,
      name_key ${key} not null,
      external_id ${key},
      key ${key} not null generated always as (coalesce(external_id, name)) stored,
      version integer not null default 1,
      ${TIMES},
      constraint scim_groups_name unique (provider, name_key),
      constraint scim_groups_external unique (provider, external_id))`,
    `create index scim_groups_order on scim_groups (provider, created_at, id)`,
    `create index scim_groups_key on scim_groups (provider, key)`,

    `create table scim_members (
      group_id ${key} not null references scim_groups (id) on delete cascade,
      user_id ${key} not null references scim_users (id) on delete cascade,
      primary key (group_id, user_id))`,
    `create index scim_members_user on scim_members (user_id)`,
  ],
} satisfies Migration;
