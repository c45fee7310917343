import type { Migration } from "./migration";

export default {
  id: "035-second-factors",
  statements: [
    // Apps that compute one-time codes (RFC 6238). `sealed` is the secret, encrypted like client secrets. `last_step` is the
    // time step of the last code that was accepted. None of these refer to accounts: pending ones have factors as well.
    `create table authenticator_apps (
      uid text collate "C" primary key,
      subject text collate "C" not null,
      name text not null,
      sealed text not null,
      last_step bigint not null,
      used_at timestamptz(3),
      created_at timestamptz(3) not null)`,
    `create index authenticator_apps_subject on authenticator_apps (subject)`,

    // WebAuthn credentials, each for the host that it was made at.
    `create table passkeys (
      uid text collate "C" primary key,
      subject text collate "C" not null,
      name text not null,
      host text collate "C" not null,
      credential_id text collate "C" not null unique,
      public_key text not null,
      counter bigint not null,
      transports text[] not null,
      synced boolean not null,
      used_at timestamptz(3),
      created_at timestamptz(3) not null)`,
    `create index passkeys_subject on passkeys (subject)`,

    `create table recovery_codes (
      subject text collate "C" not null,
      hash text collate "C" not null,
      used_at timestamptz(3),
      created_at timestamptz(3) not null,
      primary key (subject, hash))`,
  ],
} satisfies Migration;
