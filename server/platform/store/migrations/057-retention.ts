import type { Migration } from "./migration";

const key = 'text collate "C"';

/** Each with the column that begins with the organization. */
const COUNTED = ["retention_rules", "retention_runs", "retention_deletions"] as const;

export default {
  id: "057-retention",
  statements: [
    // uid: of the group or repo that it is for. parent: that group, or the group of the repo. settings: the values of the
    // rule. confirmed_by: the identities of whoever confirmed this version; null unless it runs, or has run.
    `create table retention_rules (
      uid ${key} primary key,
      parent ${key} not null references groups (uid) on delete cascade,
      repo_uid ${key} references repos (uid) on delete cascade,
      settings jsonb not null,
      state ${key} not null,
      version int not null,
      set_by ${key},
      set_at timestamptz(3) not null,
      confirmed_by text[],
      confirmed_at timestamptz(3),
      confirmed_deletions int,
      stop_reason text,
      last_run_at timestamptz(3),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null)`,
    "create index retention_rules_parent on retention_rules (parent)",
    "create index retention_rules_repo on retention_rules (repo_uid)",
    "create index retention_rules_running on retention_rules (last_run_at) where state = 'RETENTION_STATE_RUNNING'",
    // parent: the group or repo of the rule, so that who can list tags there sees it. done_through: the last repo that is
    // finished.
    `create table retention_runs (
      uid ${key} primary key,
      parent ${key} not null,
      group_uid ${key} not null references groups (uid) on delete cascade,
      version int not null,
      settings jsonb not null,
      confirmed_by ${key},
      done_through ${key} not null default '',
      repos int not null default 0,
      kept int not null default 0,
      stop_reason text,
      created_at timestamptz(3) not null,
      ended_at timestamptz(3))`,
    "create index retention_runs_parent on retention_runs (parent, created_at, uid)",
    "create index retention_runs_group on retention_runs (group_uid)",
    "create index retention_runs_created on retention_runs (created_at, uid)",
    "create index retention_runs_open on retention_runs (uid) where ended_at is null",
    // No reference to repo and tag: the report outlives them.
    `create table retention_deletions (
      uid ${key} primary key,
      parent ${key} not null references retention_runs (uid) on delete cascade,
      repo_uid ${key} not null,
      repo_name text not null,
      tag_uid ${key} not null,
      name ${key} not null,
      digest ${key} not null,
      deprecated boolean not null,
      bundles text[] not null,
      why text not null,
      state ${key} not null,
      failure text,
      restored_by ${key},
      restored_at timestamptz(3),
      created_at timestamptz(3) not null)`,
    "create index retention_deletions_parent on retention_deletions (parent, name, uid)",
    // A tag is deleted once by a run, also by two processes.
    "create unique index retention_deletions_once on retention_deletions (parent, tag_uid)",
    "create index retention_deletions_restored on retention_deletions (repo_uid) where restored_at is not null",

    ...COUNTED.flatMap((table) => {
      const call = "for each statement execute function count_bytes('retention', 'uid')";
      return [
        `create trigger ${table}_counted_in after insert on ${table} referencing new table as after_rows ${call}`,
        `create trigger ${table}_counted_on after update on ${table}
         referencing old table as before_rows new table as after_rows ${call}`,
        `create trigger ${table}_counted_out after delete on ${table} referencing old table as before_rows ${call}`,
      ];
    }),
    "alter function recount_bytes() rename to recount_bytes_before_057",
    `create function recount_bytes() returns void language sql as $$
       select recount_bytes_before_057();
       insert into stored_bytes select organization, 'retention', sum(bytes) from (${COUNTED.map(
         (table) => `select left(r.uid, 40) as organization, octet_length(r::text) as bytes from ${table} r`,
       ).join(" union all ")}) c group by 1;
     $$`,
  ],
} satisfies Migration;
