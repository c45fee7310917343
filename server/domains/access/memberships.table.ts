import { rootOf } from "platform-contract/aip";

import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { time, type Texts } from "../../platform/store/table";

/** Offers that a list shows, newest first. */
const MOST_OFFERS = 50;

/**
 * Records that a person accepted the organization of this group: they created it, redeemed its invite, signed in with
 * its identity provider, asked for access or accepted an offer.
 */
export const recordAccepted = async (queries: Queries, group: string, identity: string): Promise<void> => {
  await queries.query(
    `insert into memberships (organization, identity_uid, state, decided_at) values ($1, $2, 'accepted', $3)
     on conflict (organization, identity_uid) do update set state = 'accepted', decided_at = $3
     where memberships.state <> 'accepted'`,
    [rootOf(group), identity, now()],
  );
};

/**
 * Records that somebody else gave a person of this issuer their first role in the organization of this binding. What
 * they accepted before stays accepted.
 */
export const recordOffered = async (
  queries: Queries,
  { binding, identity, issuer, by }: { binding: string; identity: string; issuer: string; by: string },
): Promise<void> => {
  await queries.query(
    `insert into memberships (organization, identity_uid, state, offered_by, decided_at)
     select $1, i.uid, 'offered', $4, $5 from identities i
     where i.uid = $2 and i.parent is null and i.issuer = $3 and i.subject <> 'automation'
       and not exists (select 1 from role_bindings b
         where b.identity_uid = $2 and left(b.parent, 40) = $1 and b.uid <> $6)
     on conflict do nothing`,
    [rootOf(binding), identity, issuer, by, now(), binding],
  );
};

/** Records that a person leaves the organization of this binding, if it is their last one there and about to be deleted. */
export const recordLeaving = async (queries: Queries, binding: string, identity: string): Promise<void> => {
  await queries.query(
    `insert into memberships (organization, identity_uid, state, decided_at)
     select $2, b.identity_uid, 'left', $4 from role_bindings b where b.uid = $1 and b.identity_uid = $3
       and not exists (select 1 from role_bindings o
         where o.identity_uid = $3 and left(o.parent, 40) = $2 and o.uid <> $1)
     on conflict (organization, identity_uid) do update set state = 'left', decided_at = $4`,
    [binding, rootOf(binding), identity, now()],
  );
};

/** SQL: a person has a role in the organization of a group at a time, and has accepted it. */
export const isMemberOf = (person: string, group: string, time: string): string =>
  `(exists (select 1 from role_bindings mb where mb.identity_uid = ${person}
      and left(mb.parent, 40) = left(${group}, 40) and (mb.expires_at is null or mb.expires_at > ${time}))
    and not exists (select 1 from memberships mm where mm.organization = left(${group}, 40)
      and mm.identity_uid = ${person} and mm.state = 'offered'))`;

/** True if a person has left an organization and not come back. */
export async function hasLeft(queries: Queries, organization: string, identity: string): Promise<boolean> {
  const rows = await queries.query(
    "select 1 from memberships where organization = $1 and identity_uid = $2 and state = 'left'",
    [organization, identity],
  );
  return rows.length > 0;
}

/** Accepts an offer. Returns false if there is none. */
export async function acceptOffer(
  queries: Queries,
  organization: string,
  identity: string,
): Promise<boolean> {
  const rows = await queries.query(
    `update memberships set state = 'accepted', decided_at = $3
     where organization = $1 and identity_uid = $2 and state = 'offered' returning 1`,
    [organization, identity, now()],
  );
  return rows.length > 0;
}

/** Organizations in which others gave this person a role that they still have and have not accepted yet. */
export async function offersTo(queries: Queries, identity: string) {
  const rows = await queries.query<
    Texts<"uid" | "name" | "by_email"> & {
      readonly decided_at: Date;
      readonly by_name: string | null;
      readonly roles: readonly string[];
    }
  >(
    `select g.uid, g.name, m.decided_at, i.name as by_name,
       coalesce(nullif(i.email, ''), i.email_unverified) as by_email,
       array(select distinct r.name from role_bindings b join roles r on r.uid = b.role_uid
         where b.identity_uid = $1 and left(b.parent, 40) = g.uid order by r.name) as roles
     from memberships m join groups g on g.uid = m.organization left join identities i on i.uid = m.offered_by
     where m.identity_uid = $1 and m.state = 'offered' and exists (
       select 1 from role_bindings b where b.identity_uid = $1 and left(b.parent, 40) = g.uid)
     order by m.decided_at desc, g.uid limit ${MOST_OFFERS}`,
    [identity],
  );
  return rows.map((row) => ({
    groupUid: row.uid,
    groupName: row.name,
    roles: row.roles,
    byName: row.by_name ?? undefined,
    byEmail: row.by_email || undefined,
    createTime: time(row.decided_at),
  }));
}
