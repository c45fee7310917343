import type { Migration } from "./migration";

const key = 'text collate "C"';

export default {
  id: "021-advisory-statements",
  statements: [
    // Where an advisory holds: a release of a distribution, an image, a version. Part of its uid.
    `alter table advisories add column applies_to ${key} not null default ''`,
    "create index advisories_applies_to on advisories (applies_to, uid) where applies_to <> ''",

    // source: the record that states the event. place: its order among events of one time. ranges, versions: what is
    // affected.
    `alter table advisory_events
      add column source ${key} not null default '',
      add column source_url text not null default '',
      add column place integer not null default 0,
      add column ranges jsonb not null default '[]',
      add column versions jsonb not null default '[]'`,
    "drop index advisory_events_history",
    "create index advisory_events_history on advisory_events (advisory_uid, created_at, place, source, uid)",

    // The newest version of each source record in a group.
    `create table advisory_records (
      parent ${key} not null references groups (uid) on delete cascade,
      source ${key} not null,
      modified_at timestamptz(3) not null,
      primary key (parent, source))`,
    // What the newest version of a record that named an advisory said of itself. Written before the advisory.
    `create table advisory_sources (
      advisory_uid ${key} not null references advisories (uid) on delete cascade deferrable initially deferred,
      source ${key} not null,
      parent ${key} not null,
      modified_at timestamptz(3) not null,
      withdrawn_at timestamptz(3),
      withdraw_reason text not null default '',
      primary key (advisory_uid, source))`,
    "create index advisory_sources_record on advisory_sources (parent, source, modified_at)",

    // The distribution of a package, as far as its package URL names one.
    `alter table image_packages add column distribution ${key} not null default ''`,
  ],
} satisfies Migration;
