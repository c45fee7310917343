import type { Migration } from "./migration";

export default {
  id: "059-token-ids",
  statements: [
    // Repeats a part of the entry, as the columns before it. Entries from before have none, nor do tokens without an id.
    'alter table audit_entries add column jti text collate "C"',
    "create index audit_entries_jti on audit_entries (jti, created_at, uid) where jti is not null",
    // Beside the one without a token, which a process of the version before still calls.
    `create function append_audit(
       of_chain text, of_parent text, at timestamptz, of_outcome text, of_action text, of_kind text, of_actor text,
       of_address text, subjects text[], body text, of_jti text) returns bigint language plpgsql as $$
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
         of_address, body, before, made, at, of_jti);
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
  ],
} satisfies Migration;
