import { now } from "../clock";
import type { Queries } from "../database";

/** Providers that one mail names. */
const PROVIDERS = 3;

/** The subject of the account with a password that has this address. */
export async function accountAt(queries: Queries, address: string): Promise<string | undefined> {
  const [account] = await queries.query<{ subject: string }>(
    "select subject from accounts where email = $1",
    [address],
  );
  return account?.subject;
}

/** The identity providers that say they know somebody with this address. */
export const providersAt = (
  queries: Queries,
  address: string,
): Promise<{ readonly uid: string; readonly name: string }[]> =>
  queries.query(
    `select distinct p.uid, p.name from upstream_accounts a join identity_providers p on p.uid = a.provider
     where lower(a.email) = $1 and a.email_verified and a.deactivated_at is null order by p.uid limit $2`,
    [address, PROVIDERS],
  );

export interface InviteFacts {
  readonly group: string;
  readonly role: string | null;
  readonly inviter: string | null;
  readonly expires: Date;
}

/** What a mail with an invite says; undefined if it was revoked, used, has expired, or is for another address now. */
export async function inviteFacts(
  queries: Queries,
  uid: string,
  address: string,
): Promise<InviteFacts | undefined> {
  const [facts] = await queries.query<InviteFacts>(
    `select g.name as "group", r.name as role, i.name as inviter, t.expires_at as expires
     from group_invites t join groups g on g.uid = t.parent left join roles r on r.uid = t.role_uid
       left join identities i on i.uid = t.created_by
     where t.uid = $1 and t.expires_at > $2 and t.email = $3`,
    [uid, now(), address],
  );
  return facts;
}
