import type { Migration } from "./migration";

/** Both functions cost a fraction of what they did: the log is written with every write. */
export default {
  id: "031-audit-cost",
  statements: [
    // The head is locked and written once.
    `create or replace function append_audit(
       of_chain text, of_parent text, at timestamptz, of_outcome text, of_action text, of_kind text, of_actor text,
       of_address text, subjects text[], body text) returns bigint language plpgsql as $$
     declare
       ms bigint := (extract(epoch from at) * 1000)::bigint;
       number bigint;
       before text;
       own text;
       made text;
     begin
       select h.sequence + 1, h.hash into number, before from audit_heads h where h.chain = of_chain for update;
       if not found then
         insert into audit_heads (chain, sequence, hash) values (of_chain, 0, '') on conflict (chain) do nothing;
         select h.sequence + 1, h.hash into number, before from audit_heads h where h.chain = of_chain for update;
       end if;
       if of_parent is null then own := substr(encode(sha256(convert_to(number::text || at::text, 'UTF8')), 'hex'), 1, 40);
       else own := of_parent || '/' || lpad(to_hex(ms), 12, '0') || lpad(to_hex(number % 65536), 4, '0'); end if;
       made := encode(sha256(convert_to(concat_ws(E'\\n', before, number, own, ms, body), 'UTF8')), 'hex');
       update audit_heads h set sequence = number, hash = made where h.chain = of_chain;
       insert into audit_entries values (own, of_parent, of_chain, number, of_outcome, of_action, of_kind, of_actor,
         of_address, body, before, made, at);
       insert into audit_subjects (record_uid, created_at, uid) select s.uid, at, own from unnest(subjects) as s (uid)
         on conflict do nothing;
       if of_parent is not null then
         update audit_counts set entries = entries + 1 where uid = of_parent;
         if not found then
           insert into audit_counts as c values (of_parent, 1) on conflict (uid) do update set entries = c.entries + 1;
         end if;
       end if;
       return number;
     end $$`,
    // One path instead of nested joins, which PostgreSQL expected to be so expensive that it compiled them each time.
    `create or replace function noted_changes(actor text, account text) returns table (
       audit text, changes text, names jsonb, provider text) language plpgsql as $$
     declare
       uids text[];
     begin
       audit := nullif(current_setting('platform.audit', true), '');
       changes := nullif(current_setting('platform.changes', true), '');
       if audit is not null then
         uids := array(select distinct u #>> '{}' from jsonb_path_query(
           ('[' || replace(audit, E'\\n', ',') || ']')::jsonb,
           '$[*].rows[*][*] ? (@.type() == "object").keyvalue() ? (@.key == "uid" || @.key == "parent"
             || @.key == "identity_uid" || @.key == "role_uid" || @.key == "scope" || @.key == "default_role"
             || @.key == "document_uid").value ? (@.type() == "string")') as u);
       end if;
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
