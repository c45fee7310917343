import { now } from "../../platform/store/clock";
import { readDraft, type AuditDraft } from "../../platform/store/audit";
import type { Queries } from "../../platform/store/database";

/** A role binding as a review takes it, with what is known of it. */
export interface FoundBinding {
  readonly uid: string;
  readonly parent: string;
  readonly group_name: string;
  readonly identity_uid: string;
  readonly identity_name: string;
  /** Of a machine: the group that it belongs to. */
  readonly home: string | null;
  /** Null: never. A machine is stored as seen when it is made, which does not count. */
  readonly last_seen_at: Date | null;
  readonly role_uid: string;
  readonly role_name: string;
  readonly built_in: boolean;
  readonly capability_count: number;
  readonly expires_at: Date | null;
  readonly created_at: Date;
  readonly used_count: number;
  readonly last_use: Date | null;
  /** The oldest entry of the log about it. */
  readonly entry: string | null;
  /** Another role of the same identity that counts there, does not end, and allows as much. */
  readonly covered_role: string | null;
  readonly covered_group: string | null;
  readonly covered_group_name: string | null;
}

/**
 * The role bindings that count now, in the order of their groups and names.
 * @param where `within`: at a group and below it; `at`: at these groups only
 */
export const findBindings = (
  queries: Queries,
  where: { readonly within: string } | { readonly at: readonly string[] },
  limit: number,
): Promise<FoundBinding[]> =>
  queries.query(
    `select b.uid, b.parent, g.name as group_name, b.identity_uid, i.name as identity_name, i.parent as home,
       case when i.parent is null then i.last_seen_at else nullif(i.last_seen_at, i.created_at) end as last_seen_at,
       b.role_uid, r.name as role_name, r.parent is null as built_in,
       cardinality(r.capabilities) as capability_count, b.expires_at, b.created_at,
       coalesce(u.used, 0) as used_count, u.last as last_use, a.entry,
       c.role_name as covered_role, c.parent as covered_group, c.group_name as covered_group_name
     from role_bindings b join groups g on g.uid = b.parent join identities i on i.uid = b.identity_uid
       join roles r on r.uid = b.role_uid
       left join lateral (select count(distinct u.capability)::int as used, max(u.last_at) as last
         from capability_use u where u.identity_uid = b.identity_uid
           and (u.group_uid = b.parent or starts_with(u.group_uid, b.parent || '/'))
           and u.capability = any(r.capabilities)) u on true
       left join lateral (select e.entry from audit_subjects s join audit_entries e on e.uid = s.uid
         where s.record_uid = b.uid and e.outcome = 'OUTCOME_DONE' order by s.created_at limit 1) a on true
       left join lateral (select o.parent, h.name as group_name, p.name as role_name
         from role_bindings o join roles p on p.uid = o.role_uid join groups h on h.uid = o.parent
         where o.identity_uid = b.identity_uid and o.uid <> b.uid and o.expires_at is null
           and (o.parent = b.parent or starts_with(b.parent, o.parent || '/'))
           and p.capabilities @> r.capabilities
           and not (o.parent = b.parent and r.capabilities @> p.capabilities and o.uid > b.uid)
         order by o.parent, o.uid limit 1) c on true
     where (case when $1::text is null then b.parent = any($2::text[])
         else b.parent = $1 or (b.parent >= $1 || '/' and b.parent < $1 || '0') end)
       and (b.expires_at is null or b.expires_at > $3)
     order by b.parent, lower(i.name), b.uid limit $4`,
    ["within" in where ? where.within : null, "at" in where ? where.at : null, now(), limit],
  );

/** Who granted a binding, and why, if the log tells: an import tells who brought the record, not who granted it. */
export function granterOf({ uid, entry }: Pick<FoundBinding, "uid" | "entry">): {
  readonly by?: string;
  readonly why?: string;
} {
  if (entry === null) return {};
  const draft: AuditDraft = readDraft(entry);
  const made = [draft, ...(draft.related ?? [])].some(
    ({ record, change }) => record?.uid === uid && change === "created",
  );
  if (!made || draft.action === "import") return {};
  const { actor, justification } = draft;
  return {
    ...(typeof actor?.["name"] === "string" && { by: actor["name"] }),
    ...(justification !== undefined && { why: justification }),
  };
}

/** By machine: the person who answers for it, as far as they have a role in its organization. */
export async function ownersOfMachines(
  queries: Queries,
  machines: readonly string[],
  isMember: (person: string, group: string, time: string) => string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await queries.query<{ uid: string; owner_uid: string }>(
    `select o.uid, o.owner_uid from machine_owners o
     where o.uid = any($1::text[]) and ${isMember("o.owner_uid", "o.parent", "$2")}`,
    [[...new Set(machines)], now()],
  );
  return new Map(rows.map(({ uid, owner_uid: owner }) => [uid, owner]));
}

/** A role binding as it is now, locked until the transaction ends; undefined if there is none. */
export async function lockBinding(queries: Queries, uid: string) {
  const [row] = await queries.query<{
    parent: string;
    identity_uid: string;
    role_uid: string;
    expires_at: Date | null;
  }>("select parent, identity_uid, role_uid, expires_at from role_bindings where uid = $1 for update", [uid]);
  return row;
}

/** True if an identity has a role at a group already. */
export async function hasRole(
  queries: Queries,
  { group, identity, role }: { readonly group: string; readonly identity: string; readonly role: string },
): Promise<boolean> {
  const rows = await queries.query(
    "select 1 from role_bindings where parent = $1 and identity_uid = $2 and role_uid = $3",
    [group, identity, role],
  );
  return rows.length > 0;
}

/** True if some other binding makes somebody the owner of an organization without an end. */
export async function hasOtherOwner(
  queries: Queries,
  organization: string,
  owner: string,
  but: string,
): Promise<boolean> {
  const rows = await queries.query(
    "select 1 from role_bindings where parent = $1 and role_uid = $2 and uid <> $3 and expires_at is null limit 1",
    [organization, owner, but],
  );
  return rows.length > 0;
}
