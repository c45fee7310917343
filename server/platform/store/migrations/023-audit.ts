import { notesChanges } from "./017-events";
import type { Migration } from "./migration";

const key = 'text collate "C"';

/** SQL: a row without the columns that no log may hold. */
const told = (row: string) => `to_jsonb(${row}) - '{sealed,code_hash,search}'::text[]`;

/** SQL: one row as [before, after], without a readme that did not change. */
const both = `jsonb_build_array(
  case when to_jsonb(n) -> 'readme' = to_jsonb(o) -> 'readme' then ${told("o")} - 'readme' else ${told("o")} end,
  case when to_jsonb(n) -> 'readme' = to_jsonb(o) -> 'readme' then ${told("n")} - 'readme' else ${told("n")} end)`;

/** Rows of one statement that the log can describe; it counts the others. */
const DESCRIBED = 100;

/** SQL: the rows as JSON, and their number. */
const described = (row: string, from: string): string =>
  `select jsonb_agg(d.r) filter (where d.k <= ${DESCRIBED}), count(*) into rows, number
   from (select ${row} as r, row_number() over () as k from ${from}) d`;

const heard = (row: string) =>
  `exists (select 1 from subscriptions s where left(s.parent, 40) = left(${row}.uid, 40))`;

const noted = (operation: string, row: string) =>
  `string_agg('${operation} ' || tg_table_name || ' ' || ${row}.uid, E'\\n')`;

/** An update writes its fields and its time in separate statements: the entry is made of both. */
const DIFFERENT = `to_jsonb(n) - 'last_seen_at' is distinct from to_jsonb(o) - 'last_seen_at'`;

// A change of the record, as opposed to a note about it, such as when it was last seen.
const CHANGED = `(to_jsonb(n) -> 'updated_at', to_jsonb(n) -> 'readme_updated_at')
  is distinct from (to_jsonb(o) -> 'updated_at', to_jsonb(o) -> 'readme_updated_at')`;

export default {
  id: "023-audit",
  statements: [
    // One chain of entries for each organization, by its uid; '' for what belongs to none. Locking the row of a chain
    // orders the transactions that write to it.
    `create table audit_heads (
      chain ${key} primary key,
      sequence bigint not null,
      hash text not null) with (fillfactor = 50)`,
    // The last entry that retention removed: the chain continues from its hash.
    `create table audit_checkpoints (
      chain ${key} primary key,
      sequence bigint not null,
      hash text not null,
      created_at timestamptz(3) not null)`,

    // entry: JSON, the text that is hashed. The columns before it repeat parts of it for filters. No foreign keys: an
    // entry outlives what it is about.
    `create table audit_entries (
      uid ${key} primary key,
      parent ${key},
      chain ${key} not null,
      sequence bigint not null,
      outcome ${key} not null,
      action ${key} not null,
      kind ${key} not null,
      actor_uid ${key},
      address ${key},
      entry text not null,
      previous text not null,
      hash text not null,
      created_at timestamptz(3) not null)`,
    "create unique index audit_entries_chain on audit_entries (chain, sequence)",
    "create index audit_entries_newest on audit_entries (left(uid, 40), outcome, created_at, uid)",
    "create index audit_entries_parent on audit_entries (parent, created_at, uid)",
    "create index audit_entries_actor on audit_entries (actor_uid, created_at, uid) where actor_uid is not null",

    // What an entry is about: its record, those that changed with it, and identities whose roles changed.
    `create table audit_subjects (
      record_uid ${key} not null,
      created_at timestamptz(3) not null,
      uid ${key} not null,
      primary key (record_uid, created_at, uid))`,

    // The number of entries by group: the total of a list is then a sum.
    `create table audit_counts (uid ${key} primary key, entries bigint not null) with (fillfactor = 50)`,

    `create function keep_audit() returns trigger language plpgsql as $$
     begin
       if tg_op = 'DELETE' and current_setting('platform.audit_retention', true) = 'on' then
         return old;
       end if;
       raise exception 'the audit log is append-only' using errcode = 'restrict_violation';
     end $$`,
    `create trigger audit_entries_kept before update or delete on audit_entries
     for each row execute function keep_audit()`,
    `create trigger audit_entries_whole before truncate on audit_entries
     for each statement execute function keep_audit()`,

    // Appends an entry to its chain. The lock on the chain's head is held until the transaction ends, so this comes
    // last. The hash covers everything that is stored.
    `create function append_audit(
       of_chain text, of_parent text, at timestamptz, of_outcome text, of_action text, of_kind text, of_actor text,
       of_address text, subjects text[], body text) returns bigint language plpgsql as $$
     declare
       number bigint;
       before text;
       own text;
       made text;
     begin
       insert into audit_heads (chain, sequence, hash) values (of_chain, 0, '') on conflict (chain) do nothing;
       update audit_heads h set sequence = h.sequence + 1 where h.chain = of_chain
         returning h.sequence, h.hash into number, before;
       own := case when of_parent is null then substr(encode(sha256(convert_to(number::text || at::text, 'UTF8')), 'hex'), 1, 40)
         else of_parent || '/' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0')
           || lpad(to_hex(number % 65536), 4, '0') end;
       made := encode(sha256(convert_to(concat_ws(E'\\n', before, number,
         own, (extract(epoch from at) * 1000)::bigint, body), 'UTF8')), 'hex');
       update audit_heads h set hash = made where h.chain = of_chain;
       insert into audit_entries values (own, of_parent, of_chain, number, of_outcome, of_action, of_kind, of_actor,
         of_address, body, before, made, at);
       insert into audit_subjects (record_uid, created_at, uid)
         select distinct s.uid, at, own from unnest(subjects) as s (uid);
       if of_parent is not null then
         insert into audit_counts as c values (of_parent, 1) on conflict (uid) do update set entries = c.entries + 1;
       end if;
       return number;
     end $$`,

    // Notes every change for the log and, if the organization has a subscription, for its events.
    `create or replace function note_changes() returns trigger language plpgsql as $$
     declare
       found text;
       rows jsonb;
       number bigint;
     begin
       if current_setting('platform.events', true) = 'off' then
         return null;
       end if;
       if tg_op = 'INSERT' then
         ${described(`jsonb_build_array(null, ${told("n")})`, "after_rows n")};
       elsif tg_op = 'DELETE' then
         ${described(`jsonb_build_array(${told("o")}, null)`, "before_rows o")};
       else
         ${described(both, `after_rows n join before_rows o on o.uid = n.uid where ${DIFFERENT}`)};
       end if;
       if number = 0 then
         return null;
       end if;
       perform set_config('platform.audit', concat_ws(E'\\n', nullif(current_setting('platform.audit', true), ''),
         jsonb_build_object('on', tg_op, 'table', tg_table_name, 'number', number, 'rows', rows)), true);
       if tg_nargs > 0 or not exists (select 1 from subscriptions) then
         return null;
       end if;
       if tg_op = 'INSERT' then
         select ${noted("created", "n")} into found from after_rows n where ${heard("n")};
       elsif tg_op = 'DELETE' then
         select ${noted("deleted", "o")} into found from before_rows o where ${heard("o")};
       else
         select ${noted("updated", "n")} into found from after_rows n join before_rows o on o.uid = n.uid
         where ${heard("n")} and ${CHANGED};
       end if;
       if found is not null then
         perform set_config('platform.changes',
           concat_ws(E'\\n', nullif(current_setting('platform.changes', true), ''), found), true);
       end if;
       return null;
     end $$`,
    ...["terms", "identity_provider_secrets"].flatMap((table) =>
      notesChanges(table).map((sql) => sql.replace("note_changes()", "note_changes('audit')")),
    ),

    // What a transaction changed, with the names that its entry needs. Plain SQL would plan its parts each time.
    `create function noted_changes(actor text, account text) returns table (
       audit text, changes text, names jsonb, provider text) language plpgsql as $$
     declare
       uids text[];
     begin
       audit := nullif(current_setting('platform.audit', true), '');
       changes := nullif(current_setting('platform.changes', true), '');
       if audit is not null then
         select array_agg(distinct e.value) into uids
         from jsonb_array_elements(('[' || replace(audit, E'\\n', ',') || ']')::jsonb) as s (statement),
           jsonb_array_elements(s.statement -> 'rows') as r (sides),
           jsonb_array_elements(r.sides) as v (side),
           jsonb_each_text(case when jsonb_typeof(v.side) = 'object' then v.side else '{}' end) as e
         where e.key in ('uid', 'parent', 'identity_uid', 'role_uid', 'scope', 'default_role', 'document_uid');
       end if;
       -- Also without changes: some acts change nothing.
       if audit is not null or actor is not null then
         uids := coalesce(uids, '{}') || actor;
         select jsonb_object_agg(f.uid, f.name) into names from (
           select i.uid, i.name from identities i where i.uid = any(uids)
           union all select r.uid, r.name from roles r where r.uid = any(uids)
           union all select g.uid, g.name from groups g where g.uid = any(uids)
           union all select r.uid, r.name from repos r where r.uid = any(uids)
           union all select t.uid, t.name from terms t where t.uid = any(uids)
           union all select p.uid, p.name from identity_providers p where p.uid = any(uids)) f;
         select a.provider into provider from upstream_accounts a where a.subject = account;
       end if;
       return next;
     end $$`,
  ],
} satisfies Migration;
