import type { Migration } from "./migration";

const key = 'text collate "C"';
const text = `${key} not null default ''`;
const list = "text[] not null default '{}'";

/** Lists omit deleted advisories; a total is a walk along an index without them. */
const live = (name: string, columns: string): string =>
  `create index advisories_${name} on advisories (${columns}) where deleted_at is null`;

export default {
  id: "012-advisories",
  statements: [
    // Finds substrings by index. A trusted extension: the database owner can add it.
    "create extension if not exists pg_trgm",

    // Repeats data of advisory_events and vulnerability_metadata for lists: whoever writes those tables updates this
    // one. fixed_version: from the newest approved event, if that is a fix. search: lower-case text for the free-text
    // search.
    `create table advisories (
      uid ${key} primary key,
      parent ${key} not null references groups (uid) on delete restrict,
      advisory_id ${key} not null,
      legacy_advisory_id ${text},
      author ${text},
      artifact_name ${key} not null,
      artifact_type ${text},
      artifact_architecture ${text},
      component_name ${text},
      component_location ${text},
      component_type ${text},
      origin ${key} not null,
      namespace ${text},
      aliases ${list},
      severities jsonb not null default '[]',
      event_types ${list},
      event_states ${list},
      event_authors ${list},
      event_reviewers ${list},
      latest_event_type ${text},
      fixed_version text,
      weight integer not null default 0,
      search text not null default '',
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      deleted_at timestamptz(3))`,
    "create index advisories_parent on advisories (parent, uid)",
    live("live", "uid"),
    live("name", "artifact_name, uid"),
    live("advisory_id", "advisory_id, uid"),
    live("component_name", "component_name, uid"),
    live("created_at", "created_at, uid"),
    live("updated_at", "updated_at, uid"),
    live("origin", "origin, uid"),
    "create index advisories_legacy on advisories (legacy_advisory_id) where legacy_advisory_id <> ''",
    "create index advisories_aliases on advisories using gin (aliases)",
    "create index advisories_search on advisories using gin (search gin_trgm_ops)",

    `create table advisory_events (
      uid ${key} primary key,
      advisory_uid ${key} not null references advisories (uid) on delete cascade,
      author ${text},
      reviewer ${text},
      review_state ${text},
      issue ${text},
      type ${key} not null,
      data jsonb not null default '{}',
      findings ${text},
      created_at timestamptz(3) not null)`,
    "create index advisory_events_history on advisory_events (advisory_uid, created_at, uid)",

    // Public knowledge, independent of groups. told_by: the source record, the vulnerability itself or an alias.
    `create table vulnerability_metadata (
      id ${key} primary key,
      told_by ${key} not null,
      summary text not null default '',
      details text not null default '',
      refs jsonb not null default '[]',
      severities jsonb not null default '[]')`,

    // The packages of an image. A digest determines its contents, so they are the same in every repo.
    `create table image_packages (
      digest ${key} not null,
      architecture ${key} not null,
      name ${key} not null,
      version text not null,
      origin ${text},
      primary key (digest, architecture, name))`,

    // The image of a tag since a time; null once it was deleted.
    `create table tag_history (
      repo_uid ${key} not null references repos (uid) on delete cascade,
      tag ${key} not null,
      since timestamptz(3) not null,
      digest ${key},
      primary key (repo_uid, tag, since))`,
    `insert into tag_history (repo_uid, tag, since, digest) select parent, name, updated_at, digest from tags`,
  ],
} satisfies Migration;
