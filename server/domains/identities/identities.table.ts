import type { IdentityInput } from "platform-contract/iam/identities";

import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { Parameters, withinListed, type Bind } from "../../platform/store/sql";
import {
  standardSort,
  time,
  TIMES,
  times,
  type Item,
  type RecordTable,
  type Texts,
  type Timed,
} from "../../platform/store/table";

/** The members of the oneof `relationship`, by the value of the list filter. */
const RELATIONSHIPS: Readonly<Record<string, string>> = {
  RELATIONSHIP_TYPE_CLAIM_MATCH: "claimMatch",
  RELATIONSHIP_TYPE_STATIC: "staticKeys",
  RELATIONSHIP_TYPE_AWS_IDENTITY: "awsIdentity",
  RELATIONSHIP_TYPE_SERVICE_PRINCIPAL: "servicePrincipal",
};

const DAY_MS = 24 * 60 * 60_000;

/** Static keys expire a year after creation of their identity, by default and at the latest. */
export function latestExpiration(previous: Item | undefined): Date {
  const { createTime } = previous ?? {};
  const created = typeof createTime === "string" ? new Date(createTime) : now();
  return new Date(created.getTime() + 365 * DAY_MS);
}

/** How an identity is recognized: the member of `relationship` that is set. */
interface Recognition {
  readonly relationship: string;
  readonly definition: unknown;
  /** The exact pair that a token must have; null if patterns decide. */
  readonly issuer: string | null;
  readonly subject: string | null;
}

export function recognitionOf(input: IdentityInput, previous: Item | undefined): Recognition {
  const { claimMatch, staticKeys, awsIdentity, servicePrincipal } = input;
  if (claimMatch) {
    const { issuer, subject } = claimMatch;
    const exact = issuer !== undefined && subject !== undefined;
    return {
      relationship: "claimMatch",
      definition: claimMatch,
      issuer: exact ? issuer : null,
      subject: exact ? subject : null,
    };
  }
  if (staticKeys) {
    const given = staticKeys.expirationTime;
    const expires = given === undefined ? latestExpiration(previous) : new Date(given);
    const definition = { ...staticKeys, expirationTime: expires.toISOString() };
    return { relationship: "staticKeys", definition, issuer: staticKeys.issuer, subject: staticKeys.subject };
  }
  const none = { issuer: null, subject: null };
  if (awsIdentity) return { relationship: "awsIdentity", definition: awsIdentity, ...none };
  return { relationship: "servicePrincipal", definition: servicePrincipal, ...none };
}

type IdentityRow = Timed &
  Texts<"uid" | "name" | "description" | "email" | "email_unverified" | "company" | "relationship"> & {
    readonly last_seen_at: Date | null;
    readonly definition: unknown;
  };

export const identitiesTable: RecordTable<IdentityInput, IdentityRow> = {
  name: "identities",
  joins: "",
  columns: `t.uid, t.name, t.description, t.email, t.email_unverified, t.company, t.last_seen_at, t.relationship,
    t.definition, ${TIMES}`,
  weight: "pg_column_size(t.definition)",
  sort: {
    ...standardSort,
    // "Never seen" sorts before every time.
    last_seen_time: { sql: "coalesce(t.last_seen_at, timestamptz 'epoch')", type: "time" },
  },
  filters: {
    name: (name, bind) => `t.name = ${bind(name)}`,
    relationshipType: (type, bind) =>
      RELATIONSHIPS[type] === undefined ? undefined : `t.relationship = ${bind(RELATIONSHIPS[type])}`,
  },
  toItem: (row) => ({
    uid: row.uid,
    name: row.name,
    description: row.description,
    email: row.email,
    emailUnverified: row.email_unverified,
    company: row.company,
    lastSeenTime: time(row.last_seen_at),
    [row.relationship]: row.definition,
    ...times(row),
  }),
  toRow(next, { previous }) {
    const { name, description = "" } = next;
    const { definition, ...recognition } = recognitionOf(next, previous);
    return { name, description, ...recognition, definition: JSON.stringify(definition) };
  },
};

/** People are visible to callers who can list identities at a group where they are bound, and to themselves. */
export const seenPeople =
  ({ identities }: { readonly identities: readonly string[] }, groups: readonly string[]) =>
  (bind: Bind): string =>
    `
  t.uid = any(${bind(identities)}::text[]) or exists (
    select 1 from role_bindings b where b.identity_uid = t.uid and ${withinListed("b.parent", groups, bind)})`;

/** SQL: people who had a role in these groups, by role bindings as they were. */
export const boundAt =
  (groups: readonly string[], bindings: string) =>
  (bind: Bind): string =>
    `t.uid in (select b.identity_uid from ${bindings} b where ${withinListed("b.parent", groups, bind)})`;

/** True if a person exists and is visible, as `seen` says. */
export async function isSeen(
  queries: Queries,
  uid: string,
  seen: ReturnType<typeof seenPeople>,
): Promise<boolean> {
  const { values, bind } = new Parameters();
  const rows = await queries.query(
    `select 1 from identities t where t.uid = ${bind(uid)} and (${seen(bind)})`,
    values,
  );
  return rows.length > 0;
}

/** True if an identity exists; locks it, so that this stays true until a reference to it is written. */
export async function lockIdentity(queries: Queries, uid: string): Promise<boolean> {
  const rows = await queries.query("select 1 from identities where uid = $1 for share", [uid]);
  return rows.length > 0;
}

/** Serializes the transactions that write something of which a person can have so much. */
export async function lockPerson(queries: Queries, uid: string): Promise<void> {
  await queries.query("select 1 from identities where uid = $1 for update", [uid]);
}

/** The API's examples have this time from the start. An identity is unused while it equals the creation time. */
export async function startUnused(queries: Queries, uid: string): Promise<void> {
  await queries.query("update identities set last_seen_at = created_at where uid = $1", [uid]);
}

/** Moves `last_seen_at` of identities to `at` if it is before `since`. Does not count as a change of the record. */
export async function recordSeen(
  queries: Queries,
  identities: readonly string[],
  { at, since }: { readonly at: Date; readonly since: Date },
): Promise<void> {
  await queries.query(
    `update identities set last_seen_at = $2 where uid = any($1::text[])
       and (last_seen_at is null or last_seen_at < $3 or last_seen_at = created_at)`,
    [identities, at, since],
  );
}

/** A person's email, the unverified one if there is no other; "" if there is none. */
export async function emailOf(queries: Queries, uid: string): Promise<string> {
  const [person] = await queries.query<{ email: string }>(
    "select coalesce(nullif(email, ''), email_unverified) as email from identities where uid = $1",
    [uid],
  );
  return person?.email ?? "";
}

/** How an identity is recognized, as stored: the definition is JSON text. */
export interface StoredRecognition {
  readonly relationship: string;
  readonly definition: string;
  /** Of static keys, RFC 3339. */
  readonly expires: string | null;
}

export async function readRecognition(queries: Queries, uid: string): Promise<StoredRecognition | undefined> {
  const [row] = await queries.query<StoredRecognition>(
    `select relationship, definition::text as definition, definition->>'expirationTime' as expires
     from identities where uid = $1`,
    [uid],
  );
  return row;
}

/** How many other identities of an organization tokens of this issuer and subject match exactly. */
export async function countExact(
  queries: Queries,
  one: {
    readonly issuer: string;
    readonly subject: string;
    readonly organization: string;
    readonly except: string;
  },
): Promise<number> {
  const [row] = await queries.query<{ count: number }>(
    `select count(*) as count from identities
     where issuer = $1 and subject = $4 and uid > $2 || '/' and uid < $2 || '0' and uid <> $3`,
    [one.issuer, one.organization, one.except, one.subject],
  );
  return Number(row?.count);
}

/** The services that these identities are, by uid, without those that are none; locked until the transaction ends. */
export async function lockPrincipals(
  queries: Queries,
  uids: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  const rows = await queries.query<{ uid: string; definition: unknown }>(
    `select uid, definition from identities
     where uid = any($1::text[]) and relationship = 'servicePrincipal' for share`,
    [uids],
  );
  return new Map(rows.map(({ uid, definition }) => [uid, definition]));
}
