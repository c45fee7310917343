import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { personUid } from "../../platform/store/uids";
import { builtInRoleUid } from "./roles.table";

/** A provider's claims about a person; neither is verified by us. */
export interface PersonFacts {
  readonly email?: string | undefined;
  readonly name?: string | undefined;
}

const LONGEST_NAME = 200;

/**
 * Normalizes a person's name to a single line. The contract's form for identity names applies to names that users set:
 * a person's name comes from the sign-in provider, and "zoe papadaki" is nobody's name. Removes bidirectional control
 * characters, which affect the text next to them.
 */
const asName = (text: string): string =>
  text
    .normalize("NFC")
    .replaceAll(/\p{Bidi_Control}/gu, "")
    .replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, " ")
    .trim()
    .slice(0, LONGEST_NAME)
    .replace(/\p{Cs}$/u, "");

export const personName = (subject: string, { email = "", name = "" }: PersonFacts): string =>
  asName(name) || asName(email.split("@", 1)[0] ?? "") || asName(subject) || "person";

/**
 * Records the person (issuer, subject) when first needed (sign-in, lookup, seed), so that they can get a role before
 * they ever sign in. Given facts replace stored ones.
 * @returns the uid
 */
export async function ensurePerson(
  queries: Queries,
  issuer: string,
  subject: string,
  facts: PersonFacts = {},
): Promise<string> {
  const uid = personUid(issuer, subject);
  const name = personName(subject, facts);
  const email = facts.email ?? "";
  await queries.query(
    `insert into identities
       (uid, name, relationship, definition, issuer, subject, email_unverified, created_at, updated_at)
     values ($1, $2, 'claimMatch', $3, $4, $5, $6, $7, $7) on conflict (uid) do nothing`,
    [uid, name, JSON.stringify({ issuer, subject }), issuer, subject, email, now()],
  );
  if (facts.email !== undefined || facts.name !== undefined)
    await queries.query(
      `update identities set name = $2, email_unverified = case when $3 = '' then email_unverified else $3 end,
         updated_at = $4
       where uid = $1 and (name <> $2 or ($3 <> '' and email_unverified <> $3))`,
      [uid, name, email, now()],
    );
  return uid;
}

/** SQL: the account of a person, who signs in here, or their provider has confirmed the address that they gave. */
export const confirmed = (person: string): string => `(exists (select 1 from accounts a
    where a.subject = ${person}.subject and a.email = ${person}.email_unverified and a.email_verified_at is not null)
  or exists (select 1 from upstream_accounts a
    where a.subject = ${person}.subject and a.email = ${person}.email_unverified and a.email_verified))`;

/** SQL: the confirmed address of a person; null if there is none. */
export const confirmedAddress = (person: string): string =>
  `case when ${confirmed(person)} then ${person}.email_unverified else nullif(${person}.email, '') end`;

/** Owners of one organization who get a mail. */
const OWNERS = 20;

/** Confirmed addresses of the owners of an organization, of accounts of this issuer. */
export const confirmedOwners = (
  queries: Queries,
  issuer: string,
  organization: string,
): Promise<{ readonly email: string }[]> =>
  queries.query(
    `select a.email from role_bindings b join identities i on i.uid = b.identity_uid and i.issuer = $2 and i.parent is null
       join accounts a on a.subject = i.subject and a.email_verified_at is not null
     where b.parent = $1 and b.role_uid = $3 and (b.expires_at is null or b.expires_at > $4)
       and not exists (select 1 from memberships m where m.organization = $1 and m.identity_uid = i.uid and m.state = 'offered')
     order by a.email limit ${OWNERS}`,
    [organization, issuer, builtInRoleUid("owner"), now()],
  );
