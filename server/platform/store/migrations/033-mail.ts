import type { Migration } from "./migration";

export default {
  id: "033-mail",
  statements: [
    // Null: nobody has shown that they read mail at this address.
    "alter table accounts add column email_verified_at timestamptz(3)",

    // Links that were mailed to people with an account, by a hash of their token.
    `create table account_links (
      hash text collate "C" primary key,
      subject text collate "C" not null references accounts (subject) on delete cascade,
      purpose text collate "C" not null,
      email text collate "C" not null,
      expires_at timestamptz(3) not null)`,
    "create index account_links_subject on account_links (subject)",

    // Mails to send. What one says is looked up when it is sent; secret facts are sealed.
    `create table mail_outbox (
      uid text collate "C" primary key,
      kind text collate "C" not null,
      address text collate "C" not null,
      facts text not null,
      invite_uid text collate "C",
      attempts integer not null default 0,
      next_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      created_at timestamptz(3) not null)`,
    "create index mail_outbox_next_at on mail_outbox (next_at)",
    "create index mail_outbox_invite on mail_outbox (invite_uid) where invite_uid is not null",

    // How much of an allowance is taken (a leaky bucket): of a recipient, a network, an organization.
    `create table mail_allowances (
      key text collate "C" primary key,
      taken double precision not null,
      at timestamptz(3) not null)`,

    // How the mail with an invite ended: sent, failed; null if there was none, or while it waits.
    'alter table group_invites add column mail_outcome text collate "C"',
  ],
} satisfies Migration;
