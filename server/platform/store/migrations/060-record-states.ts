import type { Migration } from "./migration";

const key = 'text collate "C"';

const TABLES = ["groups", "identities", "roles", "role_bindings", "repos", "tags"];

/** SQL: a row as it is kept. A readme is not part of its repo, and when somebody was last seen is no change of them. */
const kept = (row: string) => `to_jsonb(${row}) - '{readme,readme_updated_at,last_seen_at}'::text[]`;

const remember = (uid: string, before: string, from: string) =>
  `insert into record_states (change, record_table, uid, before)
   select of_change, tg_table_name, ${uid}, ${before} from ${from} on conflict do nothing`;

const forget = (row: string, from: string) =>
  `insert into record_horizons as h (uid, since)
   select d.uid, clock_timestamp()::timestamptz(3) from (select distinct left(${row}.uid, 40) as uid from ${from} ${row}) d
   on conflict (uid) do update set since = greatest(h.since, excluded.since)`;

export default {
  id: "060-record-states",
  statements: [
    // A transaction that changed records, with the time of its entry in the audit log.
    `create table record_changes (
      id bigint generated always as identity primary key,
      at timestamptz(3) not null)`,
    "create index record_changes_at on record_changes (at, id)",
    // What a record was before a change; null if it was not there. Entries tell only the fields that callers set, cut, and of
    // at most a hundred records. seq orders the changes of one record: its row is locked when it is written here.
    `create table record_states (
      change bigint not null,
      record_table ${key} not null,
      uid ${key} not null,
      seq bigint generated always as identity,
      before jsonb,
      primary key (change, record_table, uid))`,
    "create index record_states_uid on record_states (record_table, uid, seq)",
    "create index record_states_root on record_states (record_table, seq) where length(uid) = 40",
    // Since when the states of an organization are complete, if that is later than this migration; '' for all of them.
    `create table record_horizons (uid ${key} primary key, since timestamptz(3) not null)`,

    `create function keep_states() returns trigger language plpgsql as $$
     declare
       of_change bigint;
     begin
       -- Written with times of their own, and perhaps by the million: what was before is not known from here on.
       if current_setting('platform.events', true) = 'off' then
         if tg_op = 'DELETE' then
           ${forget("o", "before_rows")};
         else
           ${forget("n", "after_rows")};
         end if;
         return null;
       end if;
       if tg_op = 'UPDATE' then
         if not exists (select 1 from after_rows n join before_rows o on o.uid = n.uid
             where ${kept("n")} is distinct from ${kept("o")}) then
           return null;
         end if;
       elsif tg_op = 'INSERT' then
         if not exists (select 1 from after_rows) then return null; end if;
       elsif not exists (select 1 from before_rows) then
         return null;
       end if;
       of_change := nullif(current_setting('platform.change', true), '')::bigint;
       if of_change is null then
         insert into record_changes (at) values (clock_timestamp()) returning id into of_change;
         perform set_config('platform.change', of_change::text, true);
       end if;
       if tg_op = 'INSERT' then
         ${remember("n.uid", "null", "after_rows n")};
       elsif tg_op = 'DELETE' then
         ${remember("o.uid", kept("o"), "before_rows o")};
       else
         ${remember("o.uid", kept("o"), `after_rows n join before_rows o on o.uid = n.uid where ${kept("n")} is distinct from ${kept("o")}`)};
       end if;
       return null;
     end $$`,
    ...TABLES.flatMap((table) => [
      `create trigger ${table}_state_inserted after insert on ${table} referencing new table as after_rows
       for each statement execute function keep_states()`,
      `create trigger ${table}_state_updated after update on ${table}
       referencing old table as before_rows new table as after_rows
       for each statement execute function keep_states()`,
      `create trigger ${table}_state_deleted after delete on ${table} referencing old table as before_rows
       for each statement execute function keep_states()`,
    ]),

    // A change has the time of its entry: as of that time, it has been made.
    `create function time_change() returns trigger language plpgsql as $$
     begin
       update record_changes set at = new.created_at
       where id = nullif(current_setting('platform.change', true), '')::bigint;
       return null;
     end $$`,
    `create trigger audit_entries_time after insert on audit_entries
     for each row execute function time_change()`,
  ],
} satisfies Migration;
