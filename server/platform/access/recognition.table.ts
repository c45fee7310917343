import type { Queries } from "../store/database";
import type { ClaimMatch, StaticKeys } from "./matching";

/** Bytes of definitions kept per issuer, and per definition; larger definitions predate that limit. */
const CANDIDATE_BYTES = 16_000_000;
export const DEFINITION_BYTES = 8_000;
/** Maximum identities that match one token's issuer and subject exactly. */
const EXACT = 200;
const KEYS_READ = 100;

/** Round-robin over organizations, oldest identities first, so that no tenant crowds out another. */
const TURNS =
  "row_number() over (partition by split_part(i.uid, '/', 1) order by i.created_at, i.uid) as turn";

/** An identity that a token may match. */
export interface Candidate {
  readonly uid: string;
  readonly definition: ClaimMatch;
}

/** The identities that are matched by pattern against tokens of an issuer. */
export const candidatesByPattern = (queries: Queries, issuer: string): Promise<Candidate[]> =>
  queries.query(
    `select uid, definition from (
       select *, sum(size) over (order by turn, created_at, uid) as until from (
         select i.uid, i.definition, i.created_at, length(i.definition::text) as size, ${TURNS}
         from identity_issuers n join identities i on i.uid = n.identity_uid where n.issuer = $1) found
       where size <= ${2 * DEFINITION_BYTES}) measured
     where until <= ${CANDIDATE_BYTES} order by turn, created_at, uid`,
    [issuer],
  );

/** The identities that name exactly this issuer and subject. */
export const exactCandidates = (queries: Queries, issuer: string, subject: string): Promise<Candidate[]> =>
  queries.query(
    `select uid, definition from (
       select i.uid, i.definition, i.created_at, ${TURNS} from identities i
       where i.issuer = $1 and i.subject = $2 and i.relationship = 'claimMatch' and i.parent is not null
       order by turn, created_at, uid limit ${EXACT}) found
     where length(definition::text) <= ${2 * DEFINITION_BYTES} order by turn, created_at, uid`,
    [issuer, subject],
  );

/** How many other identities of an organization are matched by pattern against tokens of an issuer. */
export async function countPatterns(
  queries: Queries,
  one: { readonly issuer: string; readonly organization: string; readonly except: string },
): Promise<number> {
  const [row] = await queries.query<{ count: number }>(
    `select count(*) as count from identity_issuers
     where issuer = $1 and identity_uid > $2 || '/' and identity_uid < $2 || '0' and identity_uid <> $3`,
    [one.issuer, one.organization, one.except],
  );
  return Number(row?.count);
}

/** Replaces the issuers whose tokens an identity is matched against by pattern; returns the ones before. */
export async function replaceIssuers(
  queries: Queries,
  identity: string,
  issuers: Iterable<string>,
): Promise<string[]> {
  const before = await queries.query<{ issuer: string }>(
    "delete from identity_issuers where identity_uid = $1 returning issuer",
    [identity],
  );
  for (const issuer of issuers)
    await queries.query("insert into identity_issuers (issuer, identity_uid) values ($1, $2)", [
      issuer,
      identity,
    ]);
  return before.map(({ issuer }) => issuer);
}

/** Tells every process that identities of an issuer, without a slash at its end, have changed. */
export async function moveRevision(queries: Queries, issuer: string): Promise<void> {
  await queries.query(
    `insert into pattern_revisions (issuer, revision) values ($1, 1)
     on conflict (issuer) do update set revision = pattern_revisions.revision + 1`,
    [issuer],
  );
}

/** Changes whenever an identity of this issuer, without a slash at its end, changes. */
export async function revisionOf(queries: Queries, issuer: string): Promise<unknown> {
  const [row] = await queries.query("select revision from pattern_revisions where issuer = $1", [issuer]);
  return row?.["revision"] ?? 0;
}

/** A key of an identity; `jwk` is JSON text. */
export interface StaticKey {
  readonly issuer: string;
  readonly subject: string;
  readonly kid: string | null;
  readonly jwk: string;
}

/** Replaces the keys of an identity. */
export async function replaceStaticKeys(
  queries: Queries,
  identity: string,
  keys: readonly StaticKey[],
): Promise<void> {
  await queries.query("delete from static_keys where identity_uid = $1", [identity]);
  for (const [place, { issuer, subject, kid, jwk }] of keys.entries())
    await queries.query(
      "insert into static_keys (identity_uid, place, issuer, subject, kid, jwk) values ($1, $2, $3, $4, $5, $6)",
      [identity, place, issuer, subject, kid, jwk],
    );
}

export interface Registered {
  /** Uid of the identity. */
  readonly uid: string;
  /** A JWK. */
  readonly key: string;
}

/** Keys of a type and curve for an issuer and subject: with a key ID, without one (null), or all (undefined). */
export const registeredKeys = (
  queries: Queries,
  one: {
    readonly issuer: string;
    readonly subject: string;
    readonly type: string;
    readonly curve: string;
    readonly alg: string;
    readonly kid: string | null | undefined;
  },
): Promise<Registered[]> =>
  queries.query(
    `select identity_uid as uid, jwk::text as key from (
       select k.*, i.created_at,
         row_number() over (partition by split_part(k.identity_uid, '/', 1) order by i.created_at, k.identity_uid, k.place) as turn
       from static_keys k join identities i on i.uid = k.identity_uid
       where k.issuer = $1 and k.subject = $2 and jwk->>'kty' = $3 and coalesce(jwk->>'crv', '') = $4
         and coalesce(jwk->>'alg', $5::text) = $5 and ($7::bool or kid is not distinct from $6::text)) found
     order by turn, created_at, identity_uid, place limit ${KEYS_READ}`,
    [one.issuer, one.subject, one.type, one.curve, one.alg, one.kid ?? null, one.kid === undefined],
  );

/** Those of these identities that are recognized by static keys. */
export const staticKeysOf = (
  queries: Queries,
  identities: readonly string[],
): Promise<{ uid: string; definition: StaticKeys }[]> =>
  queries.query(
    "select uid, definition from identities where uid = any($1::text[]) and relationship = 'staticKeys'",
    [identities],
  );
