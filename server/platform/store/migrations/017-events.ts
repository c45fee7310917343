import type { Migration } from "./migration";

/** The tables that produce events. A table that is added later calls `notesChanges` in its own migration. */
const TABLES = [
  "groups",
  "identities",
  "roles",
  "role_bindings",
  "group_invites",
  "identity_providers",
  "external_group_role_mappings",
  "account_associations",
  "terms_acceptances",
  "repos",
  "tags",
  "subscriptions",
];

/** Statements that make a table record each change to its rows. */
export const notesChanges = (table: string): string[] => [
  `create trigger ${table}_inserted after insert on ${table} referencing new table as after_rows
   for each statement execute function note_changes()`,
  `create trigger ${table}_updated after update on ${table} referencing old table as before_rows new table as after_rows
   for each statement execute function note_changes()`,
  `create trigger ${table}_deleted after delete on ${table} referencing old table as before_rows
   for each statement execute function note_changes()`,
];

/** SQL: true if the organization of a row has a subscription. */
const heard = (row: string) =>
  `exists (select 1 from subscriptions s where left(s.parent, 40) = left(${row}.uid, 40))`;

const noted = (operation: string, row: string) =>
  `string_agg('${operation} ' || tg_table_name || ' ' || ${row}.uid, E'\\n')`;

export default {
  id: "017-events",
  statements: [
    `create index subscriptions_root on subscriptions (left(parent, 40))`,

    // One row per event and subscription, until delivered. event: a CloudEvent in its JSON format.
    `create table event_deliveries (
      subscription_uid text collate "C" not null,
      event_id text collate "C" not null,
      event text not null,
      attempts int not null default 0,
      next_at timestamptz(3) not null,
      created_at timestamptz(3) not null,
      primary key (subscription_uid, event_id))`,
    `create index event_deliveries_next on event_deliveries (subscription_uid, next_at)`,

    // Records every write, whatever statement made it, including cascades. The notes are in a setting of the
    // transaction and end with it: with a table, each change would write twice. Without any subscription, it costs one
    // lookup a statement.
    `create function note_changes() returns trigger language plpgsql as $$
     declare
       found text;
     begin
       if current_setting('platform.events', true) = 'off' or not exists (select 1 from subscriptions) then
         return null;
       end if;
       if tg_op = 'INSERT' then
         select ${noted("created", "n")} into found from after_rows n where ${heard("n")};
       elsif tg_op = 'DELETE' then
         select ${noted("deleted", "o")} into found from before_rows o where ${heard("o")};
       else
         select ${noted("updated", "n")} into found from after_rows n join before_rows o on o.uid = n.uid
         where ${heard("n")}
           and (to_jsonb(n) -> 'updated_at', to_jsonb(n) -> 'readme_updated_at')
             is distinct from (to_jsonb(o) -> 'updated_at', to_jsonb(o) -> 'readme_updated_at');
       end if;
       if found is not null then
         perform set_config('platform.changes',
           concat_ws(E'\\n', nullif(current_setting('platform.changes', true), ''), found), true);
       end if;
       return null;
     end $$`,
    ...TABLES.flatMap(notesChanges),
  ],
} satisfies Migration;
