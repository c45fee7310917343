import type { Migration } from "./migration";

export default {
  id: "002-provider",
  statements: [
    // People who sign in with our own provider. The email is lower case; password is an encoded hash with its
    // parameters.
    `create table accounts (
      subject text collate "C" primary key,
      email text collate "C" not null unique,
      name text not null default '',
      password text not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null)`,

    // The OpenID provider's state: sessions, grants, codes, refresh tokens, interactions. The payload is JSON stored as
    // text: jsonb rejects an escaped NUL, and a client can send one in any parameter.
    `create table provider_records (
      kind text collate "C" not null,
      id text collate "C" not null,
      payload text not null,
      grant_id text collate "C",
      account text collate "C",
      session_uid text collate "C",
      consumed_at timestamptz(3),
      expires_at timestamptz(3) not null,
      primary key (kind, id))`,
    `create index provider_records_grant on provider_records (grant_id)`,
    `create index provider_records_account on provider_records (account)`,
    `create index provider_records_session on provider_records (session_uid)`,
    `create index provider_records_expiry on provider_records (expires_at)`,

    // Failed sign-in attempts per account and per address (see key), and the end of the current delay.
    `create table sign_in_failures (
      key text collate "C" primary key,
      failures integer not null,
      failed_at timestamptz(3) not null,
      blocked_until timestamptz(3) not null)`,
    `create index sign_in_failures_time on sign_in_failures (failed_at)`,
  ],
} satisfies Migration;
