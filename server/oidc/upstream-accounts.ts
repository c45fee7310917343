import { randomUUID } from "node:crypto";

import type { Config } from "../config";
import { now } from "../store/clock";
import type { Arrival, Database, Queries } from "../store/database";
import type { Provider } from "../store/resources/identity-providers";
import { giveMapped, takeMapped, type Mapping } from "../store/resources/mapped-bindings";
import { ensurePerson } from "../store/resources/people";
import { recordAccepted } from "../store/resources/memberships";
import { lockShared } from "../store/table";
import { newChildUid, personUid } from "../store/uids";

/** A person as described by a provider. */
export interface UpstreamPerson {
  readonly subject: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
  /** The groups that they are currently in. */
  readonly groups: readonly string[];
}

/** Upserts the account and locks its row; `isNew` if it was inserted. */
async function accountOf(
  queries: Queries,
  { uid, oidc: { issuer } }: Provider,
  { subject, email, emailVerified, name }: UpstreamPerson,
): Promise<{ account: string; isNew: boolean }> {
  const fresh = randomUUID();
  const [row] = await queries.query<{ subject: string }>(
    `insert into upstream_accounts
       (subject, provider, issuer, upstream_subject, email, email_verified, name, signed_in_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8)
     on conflict on constraint upstream_accounts_once do update set email = excluded.email,
       email_verified = excluded.email_verified, name = excluded.name, signed_in_at = excluded.signed_in_at,
       updated_at = excluded.updated_at
     returning subject`,
    [fresh, uid, issuer, subject, email, emailVerified, name, now()],
  );
  const account = row?.subject ?? fresh;
  return { account, isNew: account === fresh };
}

/** Syncs a person's mapped role bindings with their groups; leaves manual ones alone. */
async function mapGroups(
  queries: Queries,
  provider: string,
  identity: string,
  groups: readonly string[],
): Promise<void> {
  const mappings = await queries.query<Mapping & { member: boolean; given: boolean }>(
    `select t.uid, t.role_uid as role, t.scope, t.external_group_id = any($3::text[]) as member,
       exists (select 1 from mapped_bindings m join role_bindings b on b.uid = m.binding_uid
         where m.mapping_uid = t.uid and b.identity_uid = $2) as given
     from external_group_role_mappings t where t.parent = $1 order by t.uid`,
    [provider, identity, [...groups]],
  );
  for (const mapping of mappings)
    if (mapping.member && !mapping.given) await giveMapped(queries, [identity], mapping);
  for (const { uid, member, given } of mappings)
    if (given && !member) await takeMapped(queries, uid, identity);
}

/**
 * Records a sign-in at a provider in one transaction: the account, its person, the default role if it is new, and the
 * roles of its groups.
 * @returns the subject of the account; undefined if the provider was deleted or changed in the meantime
 */
export const recordSignIn = (
  database: Database,
  { issuer }: Config,
  provider: Provider,
  person: UpstreamPerson,
  arrival?: Arrival,
): Promise<string | undefined> =>
  database.transaction(
    async (queries) => {
      if (!(await lockShared(queries, "identity_providers", provider.uid))) return undefined;
      const [stored] = await queries.query(
        "select 1 from identity_providers where uid = $1 and oidc->>'issuer' = $2 and default_role = $3",
        [provider.uid, provider.oidc.issuer, provider.defaultRole],
      );
      if (!stored) return undefined;
      const { account, isNew } = await accountOf(queries, provider, person);
      const identity = await ensurePerson(queries, issuer, account, {
        ...(person.email && { email: person.email }),
        ...(person.name && { name: person.name }),
      });
      // Signing in with an organization's provider is a choice, like redeeming its invite.
      await recordAccepted(queries, provider.parent, identity);
      if (isNew)
        await queries.query(
          `insert into role_bindings (uid, parent, identity_uid, role_uid, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $5) on conflict on constraint role_bindings_once do nothing`,
          [newChildUid(provider.parent), provider.parent, identity, provider.defaultRole, now()],
        );
      await mapGroups(queries, provider.uid, identity, person.groups);
      return account;
    },
    (account) =>
      account === undefined
        ? undefined
        : {
            issuer,
            subject: account,
            identity: personUid(issuer, account),
            arrival,
            act: {
              action: "signIn.provider",
              kind: "identities",
              uid: personUid(issuer, account),
              group: provider.parent,
            },
          },
  );
