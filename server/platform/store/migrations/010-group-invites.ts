import type { Migration } from "./migration";

export default {
  id: "010-group-invites",
  statements: [
    // No foreign key to the role: an invite outlives it, and then grants nothing. inviters: the identities of the last
    // writer whose rights an invite relies on. code_hash: SHA-256 in hex; the code itself is not stored.
    `create table group_invites (
      uid text collate "C" primary key,
      parent text collate "C" not null references groups (uid) on delete restrict,
      role_uid text collate "C" not null,
      email text collate "C" not null default '',
      single_use boolean not null default false,
      expires_at timestamptz(3) not null,
      code_hash text collate "C" not null,
      created_by text collate "C" not null default '',
      inviters text[] not null default '{}',
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      constraint group_invites_code unique (code_hash))`,
    ...["parent", "email", "created_at", "updated_at", "expires_at"].map(
      (column) => `create index group_invites_${column} on group_invites (${column}, uid)`,
    ),

    // Who used which code, so that the same person can send it twice: a single-use invite is gone by then.
    `create table group_invite_uses (
      code_hash text collate "C" not null,
      identity_uid text collate "C" not null references identities (uid) on delete cascade,
      parent text collate "C" not null references groups (uid) on delete cascade,
      role_uid text collate "C" not null,
      expires_at timestamptz(3) not null,
      primary key (code_hash, identity_uid))`,
    `create index group_invite_uses_parent on group_invite_uses (parent)`,
    `create index group_invite_uses_identity on group_invite_uses (identity_uid)`,
    `create index group_invite_uses_expires_at on group_invite_uses (expires_at)`,

    // People with an invite while sign-up is closed: they become accounts when they redeem a code.
    `create table pending_accounts (
      subject text collate "C" primary key,
      email text collate "C" not null,
      name text not null default '',
      password text not null,
      created_at timestamptz(3) not null)`,
    `create index pending_accounts_created_at on pending_accounts (created_at)`,
  ],
} satisfies Migration;
