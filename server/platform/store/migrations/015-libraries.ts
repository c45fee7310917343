import type { Migration } from "./migration";

const key = 'text collate "C"';

export default {
  id: "015-libraries",
  statements: [
    // Artifacts are not in a group. Their columns are derived from their versions, and written with them. search:
    // lower-case text for the free-text search.
    `create table artifacts (
      uid ${key} primary key,
      ecosystem ${key} not null,
      name ${key} not null,
      description text not null default '',
      latest_version text not null default '',
      version_count integer not null default 0,
      search text not null default '',
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null)`,
    "create index artifacts_name on artifacts (name, uid)",
    "create index artifacts_ecosystem on artifacts (ecosystem, name, uid)",
    "create index artifacts_search on artifacts using gin (search gin_trgm_ops)",

    // sort_key: the version as text that sorts by bytes in its ecosystem's order.
    `create table artifact_versions (
      uid ${key} primary key,
      artifact_uid ${key} not null references artifacts (uid) on delete cascade,
      version text not null,
      sort_key ${key} not null,
      description text not null default '',
      size_bytes bigint not null default 0,
      remediated boolean not null default false,
      cuda_versions text[] not null default '{}',
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null)`,
    "create index artifact_versions_order on artifact_versions (artifact_uid, sort_key, uid)",
    "create index artifact_versions_remediated on artifact_versions (artifact_uid) where remediated",
    "create index artifact_versions_cuda on artifact_versions using gin (cuda_versions) where cuda_versions <> '{}'",
  ],
} satisfies Migration;
