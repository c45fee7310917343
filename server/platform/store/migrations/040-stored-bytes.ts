import type { Migration } from "./migration";

const key = 'text collate "C"';

/** What organizations fill: the table, the kind that it counts for, and the column that begins with the organization. */
const COUNTED = [
  ["groups", "groups", "uid"],
  ["identities", "identities", "uid"],
  ["static_keys", "identities", "identity_uid"],
  ["roles", "roles", "uid"],
  ["role_bindings", "roleBindings", "uid"],
  ["group_invites", "groupInvites", "uid"],
  ["identity_providers", "identityProviders", "uid"],
  ["external_group_role_mappings", "externalGroupRoleMappings", "uid"],
  ["repos", "repos", "uid"],
  ["tags", "tags", "uid"],
  ["tag_history", "tags", "repo_uid"],
  ["account_associations", "accountAssociations", "uid"],
  ["terms", "terms", "uid"],
  ["terms_acceptances", "terms", "uid"],
  ["subscriptions", "subscriptions", "uid"],
  ["advisories", "advisories", "uid"],
  ["advisory_events", "advisories", "advisory_uid"],
  ["access_requests", "accessRequests", "parent"],
  ["scim_users", "directoryUsers", "provider"],
  ["scim_groups", "directoryGroups", "provider"],
  ["scim_members", "directoryGroups", "organization"],
] as const;

/** SQL: the bytes of rows, by organization. */
const weighed = (from: string, column: string, sign = ""): string =>
  `select left(r.${column}, 40) as organization, ${sign}octet_length(r::text) as bytes from ${from} r`;

export default {
  id: "040-stored-bytes",
  statements: [
    // Beside the group, so that a deletion that removes both still knows it.
    `alter table scim_members add column organization ${key}`,
    `update scim_members m set organization = left(g.provider, 40) from scim_groups g where g.id = m.group_id`,

    // The most bytes of each kind that an organization can have, written at each start.
    `create table quotas (kind ${key} primary key, bytes bigint not null)`,
    // What organizations have, up to the changes below, which the sweep adds. Changes are rows of their own: a sum in
    // one row would make the writers of an organization wait for each other.
    `create table stored_bytes (
      organization ${key} not null, kind ${key} not null, bytes bigint not null, primary key (organization, kind))`,
    `create table stored_changes (
      organization ${key} not null, kind ${key} not null, bytes bigint not null)`,
    `create index stored_changes_of on stored_changes (organization, kind) include (bytes)`,
    // Counts everything that is there: now, and after an import, during which nothing is counted.
    `create function recount_bytes() returns void language sql as $$
       delete from stored_changes;
       delete from stored_bytes;
       insert into stored_bytes
       select organization, kind, sum(bytes) from (${COUNTED.map(
         ([table, kind, column]) =>
           `select organization, '${kind}' as kind, bytes from (${weighed(table, column)}) c`,
       ).join(" union all ")}) r where organization is not null group by organization, kind;
     $$`,
    `select recount_bytes()`,

    // Refuses a statement after which an organization has too much of a kind: SQLSTATE QUOTA.
    `create function count_bytes() returns trigger language plpgsql as $$
     declare
       one record;
       most bigint;
       total bigint;
     begin
       if current_setting('platform.events', true) = 'off' then
         return null;
       end if;
       for one in execute case tg_op
         when 'INSERT' then format('select left(r.%1$I, 40) as organization, sum(octet_length(r::text)) as bytes
           from after_rows r group by 1', tg_argv[1])
         when 'DELETE' then format('select left(r.%1$I, 40) as organization, -sum(octet_length(r::text)) as bytes
           from before_rows r group by 1', tg_argv[1])
         else format('select organization, sum(bytes) as bytes from (
           select left(r.%1$I, 40) as organization, octet_length(r::text) as bytes from after_rows r
           union all select left(r.%1$I, 40), -octet_length(r::text) from before_rows r) c group by 1', tg_argv[1])
         end
       loop
         if one.organization is null or one.bytes = 0 then
           continue;
         end if;
         insert into stored_changes (organization, kind, bytes) values (one.organization, tg_argv[0], one.bytes);
         if one.bytes > 0 then
           select q.bytes into most from quotas q where q.kind = tg_argv[0];
           select coalesce(sum(c.bytes), 0) + coalesce((select s.bytes from stored_bytes s
             where s.organization = one.organization and s.kind = tg_argv[0]), 0) into total
             from stored_changes c where c.organization = one.organization and c.kind = tg_argv[0];
           if total > most then
             raise exception '% %', tg_argv[0], most using errcode = 'QUOTA';
           end if;
         end if;
       end loop;
       return null;
     end $$`,
    ...COUNTED.flatMap(([table, kind, column]) => {
      const call = `for each statement execute function count_bytes('${kind}', '${column}')`;
      return [
        `create trigger ${table}_counted_in after insert on ${table} referencing new table as after_rows ${call}`,
        `create trigger ${table}_counted_on after update on ${table}
         referencing old table as before_rows new table as after_rows ${call}`,
        `create trigger ${table}_counted_out after delete on ${table} referencing old table as before_rows ${call}`,
      ];
    }),
  ],
} satisfies Migration;
