import { randomUUID } from "node:crypto";

import { now } from "../clock";
import type { Queries } from "../database";
import { grouped } from "../grouped";
import { followGroups, type Membership } from "../../../domains/access/mapped-bindings.table";
import { ensurePerson } from "../../../domains/access/people.table";
import { personUid } from "../uids";

/** Keeps pushed groups as they are until the transaction ends. */
export const holdPushed = async (queries: Queries, provider: string): Promise<void> => {
  await queries.query("select 1 from scim_settings where uid = $1 for share", [provider]);
};

/** The pushed groups of accounts, under the names that mappings use; those of inactive users count for nothing. */
export async function pushedGroups(
  queries: Queries,
  accounts: readonly string[],
): Promise<(account: string) => readonly string[]> {
  const rows = await queries.query<{ account: string; key: string }>(
    `select u.account, g.key from scim_users u join scim_members m on m.user_id = u.id
       join scim_groups g on g.id = m.group_id
     where u.account = any($1::text[]) and u.active`,
    [[...accounts]],
  );
  const groups = grouped(rows, ({ account }) => account);
  return (account) => (groups.get(account) ?? []).map(({ key }) => key);
}

/** People whom the directory has put into a group, under the name that mappings use. */
export async function pushedMembers(
  queries: Queries,
  issuer: string,
  provider: string,
  group: string,
): Promise<string[]> {
  const rows = await queries.query<{ account: string }>(
    `select distinct u.account from scim_groups g join scim_members m on m.group_id = g.id
       join scim_users u on u.id = m.user_id
     where g.provider = $1 and g.key = $2 and u.active and u.account is not null`,
    [provider, group],
  );
  return withoutLeft(
    queries,
    provider,
    rows.map(({ account }) => personUid(issuer, account)),
  );
}

/** Those who have not left the organization by themselves: only they can come back. */
async function withoutLeft(
  queries: Queries,
  provider: string,
  identities: readonly string[],
): Promise<string[]> {
  const left = await queries.query<{ uid: string }>(
    `select identity_uid as uid from memberships
     where organization = left($1, 40) and identity_uid = any($2::text[]) and state = 'left'`,
    [provider, [...identities]],
  );
  const gone = new Set(left.map(({ uid }) => uid));
  return identities.filter((identity) => !gone.has(identity));
}

/** Gives people the roles of their pushed groups, by account. */
export async function followPushed(
  queries: Queries,
  issuer: string,
  provider: string,
  accounts: readonly string[],
): Promise<void> {
  if (accounts.length === 0) return;
  const groupsOf = await pushedGroups(queries, accounts);
  const identities = accounts.map((account) => personUid(issuer, account));
  const present = new Set(await withoutLeft(queries, provider, identities));
  const people = accounts.map((account, index): Membership => {
    const identity = identities[index] ?? "";
    return { identity, groups: present.has(identity) ? groupsOf(account) : [] };
  });
  await followGroups(queries, provider, people);
}

/** A pushed user, as far as sign-ins are concerned. */
export interface PushedPerson {
  readonly externalId: string;
  readonly email: string;
  readonly name: string;
  readonly active: boolean;
}

/**
 * The account of a pushed user: the one that they sign in with, or a new one. An account belongs to one external id
 * forever: another one is another person, whatever the directory says.
 * @returns its subject
 */
export async function accountOfPushed(
  queries: Queries,
  issuer: string,
  provider: { readonly uid: string; readonly issuer: string; readonly bySubject: boolean },
  { externalId, email, name, active }: PushedPerson,
): Promise<string> {
  const at = now();
  const [found] = await queries.query<{ subject: string }>(
    `select subject from upstream_accounts where provider = $1 and issuer = $2
       and (external_id = $3 or ($4 and external_id is null and upstream_subject = $3))
     order by external_id nulls last limit 1 for update`,
    [provider.uid, provider.issuer, externalId, provider.bySubject],
  );
  const subject = found?.subject ?? randomUUID();
  const deactivated = active ? null : at;
  if (found)
    await queries.query(
      `update upstream_accounts set external_id = $2, deactivated_at = $3, updated_at = $6,
         name = case when $4 = '' then name else $4 end, email = case when $5 = '' then email else $5 end,
         email_verified = email_verified and $5 in ('', email)
       where subject = $1`,
      [subject, externalId, deactivated, name, email, at],
    );
  else
    await queries.query(
      `insert into upstream_accounts (subject, provider, issuer, upstream_subject, external_id, email, email_verified,
         name, deactivated_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, false, $7, $8, $9, $9)`,
      [
        subject,
        provider.uid,
        provider.issuer,
        provider.bySubject ? externalId : null,
        externalId,
        email,
        name,
        deactivated,
        at,
      ],
    );
  await ensurePerson(queries, issuer, subject, { ...(email && { email }), ...(name && { name }) });
  return subject;
}

/** Keeps somebody whom the directory no longer has from signing in. */
export const deactivateAccount = async (queries: Queries, account: string): Promise<void> => {
  await queries.query(
    "update upstream_accounts set deactivated_at = coalesce(deactivated_at, $2) where subject = $1",
    [account, now()],
  );
};
