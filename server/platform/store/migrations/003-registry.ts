import { TIMES } from "./columns";
import type { Migration } from "./migration";

export default {
  id: "003-registry",
  statements: [
    // source_uid: the repo that a synced one copies, and whose labels and readme it shows. No foreign key: rows of one
    // table would have to be moved in a certain order. A source that does not exist counts as none.
    `create table repos (
      uid text collate "C" primary key,
      parent text collate "C" not null references groups (uid) on delete restrict,
      name text collate "C" not null,
      description text not null default '',
      catalog_tier text not null default '',
      bundles text[] not null default '{}',
      aliases text[] not null default '{}',
      active_tags text[] not null default '{}',
      source_uid text collate "C",
      sync jsonb,
      overlay jsonb,
      readme text not null default '',
      ${TIMES},
      constraint repos_once unique (parent, name))`,
    `create index repos_parent on repos (parent, uid)`,
    `create index repos_name on repos (name, uid)`,
    `create index repos_created_at on repos (created_at, uid)`,
    `create index repos_updated_at on repos (updated_at, uid)`,
    `create index repos_source on repos (source_uid) where source_uid is not null`,

    // Tags are deleted with their repo. family: the kind of name that lists hide by default, or ''.
    `create table tags (
      uid text collate "C" primary key,
      parent text collate "C" not null references repos (uid) on delete cascade,
      name text collate "C" not null,
      digest text collate "C" not null,
      deprecated boolean not null default false,
      bundles text[] not null default '{}',
      family text not null default '',
      ${TIMES},
      constraint tags_once unique (parent, name))`,
    // Tags are listed by repo, at a flat cost even if hidden families make up most of them.
    `create index tags_name on tags (parent, name, uid)`,
    `create index tags_created_at on tags (parent, created_at, uid)`,
    `create index tags_updated_at on tags (parent, updated_at, uid)`,
    `create index tags_plain on tags (parent, uid) where family = ''`,
    `create index tags_plain_name on tags (parent, name, uid) where family = ''`,
    `create index tags_plain_updated_at on tags (parent, updated_at, uid) where family = ''`,
    `create index tags_digest on tags (parent, digest)`,

    // Facts about image indexes, one row per architecture; written by the image storage, read by the API.
    `create table manifests (
      repo_uid text collate "C" not null references repos (uid) on delete cascade,
      digest text collate "C" not null,
      architecture text collate "C" not null,
      size bigint not null,
      primary key (repo_uid, digest, architecture))`,
  ],
} satisfies Migration;
