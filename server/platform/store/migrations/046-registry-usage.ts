import type { Migration } from "./migration";

const key = 'text collate "C"';

export default {
  id: "046-registry-usage",
  statements: [
    // Pulls of a day. reference: a tag, a digest, or '' for the repo as a whole, in which a pull counts once, however many
    // tags name its digest. asked: HEADs; downloaded: GETs.
    `create table registry_usage (
      repo_uid ${key} not null references repos (uid) on delete cascade,
      reference ${key} not null,
      day date not null,
      identity_uid ${key} not null references identities (uid) on delete cascade,
      asked integer not null default 0,
      downloaded integer not null default 0,
      primary key (repo_uid, reference, identity_uid, day))`,
    // The last of them: a list reads these, and not the days of a year.
    `create table registry_last_pulls (
      repo_uid ${key} not null references repos (uid) on delete cascade,
      reference ${key} not null,
      identity_uid ${key} not null references identities (uid) on delete cascade,
      asked_at timestamptz(3),
      downloaded_at timestamptz(3),
      primary key (repo_uid, reference, identity_uid))`,
    "create index registry_last_pulls_identity on registry_last_pulls (identity_uid)",
    "create index registry_usage_identity on registry_usage (identity_uid, day)",
    "create index registry_usage_day on registry_usage (day)",
    // Notifications that are counted already: registries send them again.
    `create table registry_counted_events (
      id ${key} primary key,
      counted_at timestamptz(3) not null)`,
    "create index registry_counted_events_time on registry_counted_events (counted_at)",
    // Since when pulls are counted: one row.
    `create table registry_usage_start (
      only_row boolean primary key default true check (only_row),
      started_at timestamptz(3) not null)`,
    "create index tag_history_digest on tag_history (repo_uid, digest)",
  ],
} satisfies Migration;
