import type { Migration } from "./migration";

/**
 * Everything here is found by a key, so one plan fits all, and each connection makes it once: planning was four fifths of
 * what these statements cost, on each request. A plan from when a table was small must not read all of it later. A later
 * migration that renames a table or column of these functions has to replace them.
 */
const ONE_PLAN = "language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off";

export default {
  id: "034-held-roles",
  statements: [
    // Subqueries, not joins: the planner cannot estimate how few groups there are and would read all identities.
    `create function held_roles(identity_uids text[], moment timestamptz)
       returns table (role text, changed timestamptz, home text, groups text, offers text) ${ONE_PLAN} as $$
     #variable_conflict use_column
     begin
       return query select b.role_uid, (select updated_at from roles where uid = b.role_uid),
         (select parent from identities where uid = b.identity_uid), b.at,
         (select string_agg(m.organization, ' ' order by m.organization) from memberships m
           where m.identity_uid = b.identity_uid and m.state = 'offered')
       from (select identity_uid, role_uid,
           string_agg(concat(parent, '@' || (extract(epoch from expires_at) * 1000)::bigint), ' ') as at
         from role_bindings
         where identity_uid = any(identity_uids) and (expires_at is null or expires_at > moment)
         group by identity_uid, role_uid) b;
     end $$`,
    // One row at least, also for an unknown person without roles.
    `create function person_and_roles(identity_uids text[], moment timestamptz, person text, account text)
       returns table (name text, email_unverified text, deactivated boolean,
         role text, changed timestamptz, home text, groups text, offers text) ${ONE_PLAN} as $$
     #variable_conflict use_column
     begin
       return query select i.name, i.email_unverified, a.deactivated_at is not null,
         held.role, held.changed, held.home, held.groups, held.offers
       from (values (person, account)) as t (uid, subject) left join identities i on i.uid = t.uid
         left join upstream_accounts a on a.subject = t.subject
         left join held_roles(identity_uids, moment) held on true;
     end $$`,
  ],
} satisfies Migration;
