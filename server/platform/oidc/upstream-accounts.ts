import { randomUUID } from "node:crypto";

import type { Config } from "../../config";
import { now } from "../store/clock";
import type { Arrival, Database, Queries } from "../store/database";
import type { Provider } from "../../domains/federation/identity-providers.table";
import { recordAccepted } from "../../domains/access/memberships.table";
import { allowedToGet } from "../../domains/access/guard-rail-grants.table";
import { followGroups } from "../../domains/access/mapped-bindings.table";
import { ensurePerson } from "../../domains/access/people.table";
import { holdPushed, pushedGroups } from "../store/scim/accounts";
import { lockShared } from "../store/table";
import { newChildUid, personUid } from "../store/uids";
import { claimSignIn } from "./sessions";
import { UpstreamFailure } from "./upstream-client";

/** A person as described by a provider. */
export interface UpstreamPerson {
  readonly subject: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
  /** The `oid` claim, by which Entra knows a person in all applications. */
  readonly objectId?: string | undefined;
  /** The groups that they are currently in. */
  readonly groups: readonly string[];
}

export interface Account {
  readonly subject: string;
  readonly signedIn: Date | null;
  readonly deactivated: Date | null;
  /** Set if the directory has pushed the person. */
  readonly externalId: string | null;
}

const ACCOUNT = `subject, signed_in_at as "signedIn", deactivated_at as deactivated, external_id as "externalId"`;

/** The `externalId` by which the directory of a provider knows a person. */
const externalIdOf = (
  { oidc: { correlationRule } }: Provider,
  { subject, objectId }: UpstreamPerson,
): string | undefined => (correlationRule === "CORRELATION_RULE_OID_EQUALS_EXTERNAL_ID" ? objectId : subject);

/** The account that somebody would sign in to, a pushed one before their own; undefined for a new one. */
export async function accountFor(
  queries: Queries,
  provider: Provider,
  person: UpstreamPerson,
): Promise<Account | undefined> {
  const [found] = await queries.query<Account>(
    `select ${ACCOUNT} from upstream_accounts
     where provider = $1 and issuer = $2 and (upstream_subject = $3 or external_id = $4)
     order by external_id is not distinct from $4 desc limit 1`,
    [provider.uid, provider.oidc.issuer, person.subject, externalIdOf(provider, person) ?? null],
  );
  return found;
}

/** Gives the account of a pushed user the subject of the person who signs in as them. */
async function claimPushed(queries: Queries, provider: Provider, person: UpstreamPerson): Promise<void> {
  const {
    uid,
    oidc: { issuer },
  } = provider;
  const { subject } = person;
  const key = externalIdOf(provider, person);
  if (key === undefined) return;
  const [pushed] = await queries.query<{ subject: string; upstream: string | null }>(
    `select subject, upstream_subject as upstream from upstream_accounts
     where provider = $1 and issuer = $2 and external_id = $3 for update`,
    [uid, issuer, key],
  );
  if (!pushed || pushed.upstream === subject) return;
  const [own] = await queries.query<{ subject: string }>(
    `select subject from upstream_accounts
     where provider = $1 and issuer = $2 and upstream_subject = $3 for update`,
    [uid, issuer, subject],
  );
  if (own)
    // Signed in before the directory pushed them: that account stays theirs, with what it was given.
    await mergeAccounts(queries, pushed.subject, own.subject);
  else
    await queries.query("update upstream_accounts set upstream_subject = $2 where subject = $1", [
      pushed.subject,
      subject,
    ]);
}

/** Lets `kept` be the account of the pushed user, and removes the one made when the user was pushed. */
async function mergeAccounts(queries: Queries, made: string, kept: string): Promise<void> {
  await queries.query("update scim_users set account = $2 where account = $1", [made, kept]);
  await queries.query(
    `delete from role_bindings b using identities i where b.identity_uid = i.uid and i.subject = $1
       and i.relationship = 'claimMatch' and i.parent is null`,
    [made],
  );
  const [gone] = await queries.query<{ externalId: string; deactivated: Date | null }>(
    `delete from upstream_accounts where subject = $1
     returning external_id as "externalId", deactivated_at as deactivated`,
    [made],
  );
  await queries.query(
    "update upstream_accounts set external_id = $2, deactivated_at = $3 where subject = $1",
    [kept, gone?.externalId ?? null, gone?.deactivated ?? null],
  );
}

/** Upserts the account and locks its row. Returns it as it was before this sign-in. */
async function accountOf(queries: Queries, provider: Provider, person: UpstreamPerson): Promise<Account> {
  const { subject, email, emailVerified, name } = person;
  await claimPushed(queries, provider, person);
  const key = [provider.uid, provider.oidc.issuer, subject];
  const find = () =>
    queries.query<Account>(
      `select ${ACCOUNT} from upstream_accounts
       where provider = $1 and issuer = $2 and upstream_subject = $3 for update`,
      key,
    );
  const [before] = await find();
  // The directory's name and email stay if the token has none; only the token can verify an email.
  const [row] = await queries.query<Account>(
    `insert into upstream_accounts as a
       (provider, issuer, upstream_subject, subject, email, email_verified, name, signed_in_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8)
     on conflict on constraint upstream_accounts_once do update set
       email = case when a.external_id is not null and $5 = '' then a.email else $5 end,
       email_verified = $5 <> '' and $6,
       name = case when a.external_id is not null and $7 = '' then a.name else $7 end,
       signed_in_at = excluded.signed_in_at, updated_at = excluded.updated_at
     returning ${ACCOUNT}`,
    [...key, randomUUID(), email, emailVerified, name, now()],
  );
  const account = row ?? before;
  if (!account) throw new Error("the account was neither found nor made");
  return { ...account, signedIn: before?.signedIn ?? null };
}

/**
 * Records a sign-in at a provider in one transaction: the account, its person, the default role if it is new, and the
 * roles of its groups.
 * Throws an UpstreamFailure if the directory has deactivated the person.
 * @returns the subject of the account; undefined if the provider was deleted or changed in the meantime
 */
export const recordSignIn = (
  database: Database,
  { issuer }: Config,
  provider: Provider,
  person: UpstreamPerson,
  { arrival, interaction }: { readonly arrival?: Arrival; readonly interaction?: string } = {},
): Promise<string | undefined> =>
  database
    .transaction(
      async (queries) => {
        if (!(await lockShared(queries, "identity_providers", provider.uid))) return undefined;
        const [stored] = await queries.query(
          "select 1 from identity_providers where uid = $1 and oidc->>'issuer' = $2 and default_role = $3",
          [provider.uid, provider.oidc.issuer, provider.defaultRole],
        );
        if (!stored) return undefined;
        await holdPushed(queries, provider.uid);
        const {
          subject: account,
          signedIn,
          deactivated,
          externalId,
        } = await accountOf(queries, provider, person);
        if (deactivated)
          throw new UpstreamFailure(
            provider,
            "Your account was deactivated in your organization's directory. Ask your administrator.",
            undefined,
            403,
          );
        // With the account locked: who is deactivated from here on loses this sign-in too.
        if (interaction !== undefined) await claimSignIn(queries, interaction, account);
        const identity = await ensurePerson(queries, issuer, account, {
          ...(person.email && { email: person.email }),
          ...(person.name && { name: person.name }),
        });
        // Signing in with an organization's provider is a choice, like redeeming its invite.
        await recordAccepted(queries, provider.parent, identity);
        const { parent: group, defaultRole: role } = provider;
        const allowed =
          signedIn === null ? await allowedToGet(queries, { group, role, people: [identity] }) : [];
        const first =
          allowed.length > 0
            ? await queries.query(
                `insert into role_bindings (uid, parent, identity_uid, role_uid, created_at, updated_at)
               values ($1, $2, $3, $4, $5, $5) on conflict on constraint role_bindings_once do nothing returning uid`,
                [newChildUid(group), group, identity, role, now()],
              )
            : [];
        // Of somebody whom the directory pushed, it knows the groups, and tells when they change.
        const groups =
          externalId === null ? person.groups : (await pushedGroups(queries, [account]))(account);
        const giving = await followGroups(queries, provider.uid, [{ identity, groups }]);
        return { account, giving, isFirst: first.length > 0 };
      },
      (done) => {
        if (!done) return undefined;
        const { account, giving, isFirst } = done;
        // Which of the two gave a role is in no other record.
        const facts = [
          ...(isFirst ? [{ field: "defaultRole", after: JSON.stringify(provider.defaultRole) }] : []),
          ...(giving.length > 0 ? [{ field: "groups", after: JSON.stringify(giving) }] : []),
        ];
        return {
          issuer,
          subject: account,
          identity: personUid(issuer, account),
          arrival,
          act: {
            action: "signIn.provider",
            kind: "identities",
            uid: personUid(issuer, account),
            group: provider.parent,
            names: { [provider.uid]: provider.name },
            ...(facts.length > 0 && { facts }),
          },
        };
      },
    )
    .then((done) => done?.account);
