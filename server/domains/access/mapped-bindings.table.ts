import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { grouped } from "../../platform/store/grouped";
import { newChildUid } from "../../platform/store/uids";
import { allowedToGet } from "./guard-rail-grants.table";
import { removeEnded } from "./role-bindings.table";

/** The parts of a mapping that determine its bindings. */
export interface Mapping {
  readonly uid: string;
  readonly role: string;
  readonly scope: string;
}

/**
 * Grants identities the role of a mapping. Does not adopt an existing binding that no mapping made: it outlives the
 * mapping. Leaves out whom a guard rail excludes.
 * @returns how many have it of those
 */
export async function giveMapped(
  queries: Queries,
  people: readonly string[],
  { uid, role, scope }: Mapping,
): Promise<number> {
  if (people.length === 0) return 0;
  await removeEnded(queries, scope);
  const identities = await allowedToGet(queries, { group: scope, role, people });
  if (identities.length === 0) return 0;
  const made = await queries.query<{ uid: string }>(
    `insert into role_bindings (uid, parent, identity_uid, role_uid, created_at, updated_at)
     select made.uid, $3, made.identity, $4, $5, $5 from unnest($1::text[], $2::text[]) as made (uid, identity)
     on conflict on constraint role_bindings_once do nothing returning uid`,
    [identities.map(() => newChildUid(scope)), [...identities], scope, role, now()],
  );
  // Those just made, and those that other mappings made.
  await queries.query(
    `insert into mapped_bindings (binding_uid, mapping_uid)
     select b.uid, $2 from role_bindings b
     where b.parent = $3 and b.role_uid = $4 and b.identity_uid = any($1::text[])
       and (b.uid = any($5::text[]) or exists (select 1 from mapped_bindings m where m.binding_uid = b.uid))
     on conflict do nothing`,
    [[...identities], uid, scope, role, made.map((one) => one.uid)],
  );
  return identities.length;
}

/** Revokes what a mapping granted, to these identities or to all. Keeps what another mapping also grants. */
export async function takeMapped(
  queries: Queries,
  mapping: string,
  identities?: readonly string[],
): Promise<string[]> {
  const rows = await queries.query<{ uid: string; identity: string }>(
    `delete from mapped_bindings m using role_bindings b
     where b.uid = m.binding_uid and m.mapping_uid = $1 and ($2::text[] is null or b.identity_uid = any($2::text[]))
     returning b.uid, b.identity_uid as identity`,
    [mapping, identities ? [...identities] : null],
  );
  await queries.query(
    `delete from role_bindings b where b.uid = any($1::text[])
       and not exists (select 1 from mapped_bindings m where m.binding_uid = b.uid)`,
    [rows.map(({ uid }) => uid)],
  );
  return rows.map(({ identity: holder }) => holder);
}

/** Who is in which groups of an identity provider now. */
export interface Membership {
  readonly identity: string;
  /** As mappings name them. */
  readonly groups: readonly string[];
}

/**
 * Gives people the roles that mappings give their groups, and takes those of groups that they are no longer in; leaves
 * manual bindings alone. The one rule for groups in a token and groups that a directory pushes.
 * @returns the groups whose mappings gave somebody a role now
 */
export async function followGroups(
  queries: Queries,
  provider: string,
  people: readonly Membership[],
): Promise<string[]> {
  if (people.length === 0) return [];
  const pairs = people.flatMap(({ identity, groups }) =>
    groups.flatMap((group) => [group, group.normalize("NFC")]).map((group) => [identity, group] as const),
  );
  // Each side by its own index: every mapping against every person would be their product.
  const rows = await queries.query<Mapping & { group: string; identity: string; member: boolean }>(
    `with mappings as (select uid, role_uid, scope, external_group_id from external_group_role_mappings
         where parent = $1),
       wanted as (select distinct t.uid, m.identity from unnest($3::text[], $4::text[]) as m (identity, grp)
         join mappings t on t.external_group_id = m.grp),
       given as (select g.mapping_uid as uid, b.identity_uid as identity
         from role_bindings b join mapped_bindings g on g.binding_uid = b.uid
         where b.identity_uid = any($2::text[]) and g.mapping_uid in (select uid from mappings)),
       changed as (select uid, identity, true as member from (table wanted except table given) gained
         union all select uid, identity, false from (table given except table wanted) lost)
     select t.uid, t.external_group_id as "group", t.role_uid as role, t.scope, c.identity, c.member from changed c join mappings t using (uid)
     order by t.uid, c.identity`,
    [
      provider,
      people.map(({ identity }) => identity),
      pairs.map(([identity]) => identity),
      pairs.map(([, group]) => group),
    ],
  );
  const changes = grouped(rows, ({ uid, member }) => `${uid} ${member}`);
  const giving = new Set<string>();
  // What is given first keeps a binding that another group has granted until now.
  for (const isGiven of [true, false])
    for (const [first, ...more] of changes.values()) {
      if (!first || first.member !== isGiven) continue;
      const identities = [first, ...more].map(({ identity }) => identity);
      if (isGiven) {
        if ((await giveMapped(queries, identities, first)) > 0) giving.add(first.group);
      } else await takeMapped(queries, first.uid, identities);
    }
  return [...giving];
}

/** A binding that a user edits is no longer managed by mappings. */
export const forgetMapped = async (queries: Queries, binding: string): Promise<void> => {
  await queries.query("delete from mapped_bindings where binding_uid = $1", [binding]);
};

/** How many identities have a role at one of these groups that no mapping gave, and so no directory takes. */
export async function countManual(
  queries: Queries,
  role: string,
  groups: readonly string[],
): Promise<number> {
  const [row] = await queries.query<{ n: number }>(
    `select count(distinct b.identity_uid) as n from role_bindings b
     where b.role_uid = $1 and b.parent = any($2::text[])
       and not exists (select 1 from mapped_bindings m where m.binding_uid = b.uid)`,
    [role, groups],
  );
  return row?.n ?? 0;
}
