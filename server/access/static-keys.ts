import { decodeProtectedHeader, importJWK, type JSONWebKeySet, type JWK } from "jose";

import { now } from "../store/clock";
import type { Database, Queries } from "../store/database";
import { fitsStaticKeys, type StaticKeys, type VerifiedToken } from "./matching";
import { rememberByToken } from "./remembered";
import { verify } from "./tokens";

/** Maximum keys to try per token, as many as one document holds. Round-robin, so no tenant crowds out another. */
const KEYS_TRIED = 20;

/** Returns the key type and curve of a token's algorithm (RFC 7518, section 3.1; RFC 8037). */
function keyKind(algorithm: string): readonly [type: string, curve: string] | undefined {
  if (/^[RP]S(?:256|384|512)$/.test(algorithm)) return ["RSA", ""];
  if (algorithm === "EdDSA" || algorithm === "Ed25519") return ["OKP", "Ed25519"];
  const curve = { ES256: "P-256", ES384: "P-384", ES512: "P-521" }[algorithm];
  return curve === undefined ? undefined : ["EC", curve];
}

/** The members needed to verify a signature; no others are stored. */
function publicPart({ kty, crv, x, y, n, e, alg }: JWK): JWK {
  const members = { kty, crv, x, y, n, e, alg };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JWK;
}

/** Stores an identity's keys in their own table, replacing previous ones. Runs in the identity's transaction. */
export async function storeStaticKeys(
  queries: Queries,
  identity: string,
  definition: StaticKeys | undefined,
): Promise<void> {
  await queries.query("delete from static_keys where identity_uid = $1", [identity]);
  if (!definition) return;
  const { keys } = JSON.parse(definition.issuerKeys) as JSONWebKeySet;
  for (const [place, key] of keys.entries())
    await queries.query(
      "insert into static_keys (identity_uid, place, issuer, subject, kid, jwk) values ($1, $2, $3, $4, $5, $6)",
      [
        identity,
        place,
        definition.issuer,
        definition.subject,
        key.kid ?? null,
        JSON.stringify(publicPart(key)),
      ],
    );
}

interface Signed {
  readonly token: VerifiedToken;
  readonly identities: readonly string[];
}

/** Finds the identities with a registered key that signed a token. Caches results until `revision` changes. */
export function staticKeyMatcher(
  database: Database,
  publicUrl: string,
): (bearer: string, issuer: string, subject: string, revision: unknown) => Promise<string[]> {
  const remembered = rememberByToken<Signed | undefined>();

  async function signedBy(bearer: string, issuer: string, subject: string): Promise<Signed | undefined> {
    const { alg = "", kid } = header(bearer);
    const kind = keyKind(alg);
    if (!kind || kid?.includes("\0")) return undefined;
    // Handwritten key documents rarely have key IDs: keys without one match any.
    const rows = await database.query<{ uid: string; jwk: JWK }>(
      `select identity_uid as uid, jwk from (
         select k.*, i.created_at,
           row_number() over (partition by split_part(k.identity_uid, '/', 1) order by i.created_at, k.identity_uid, k.place) as turn
         from static_keys k join identities i on i.uid = k.identity_uid
         where k.issuer = $1 and k.subject = $2 and jwk->>'kty' = $3 and coalesce(jwk->>'crv', '') = $4
           and coalesce(jwk->>'alg', $5::text) = $5 and (kid is null or $6::text is null or kid = $6)) found
       order by turn, created_at, identity_uid, place limit ${KEYS_TRIED}`,
      [issuer, subject, kind[0], kind[1], alg, kid ?? null],
    );
    const byKey = new Map<string, string[]>();
    for (const { uid, jwk } of rows) {
      const key = JSON.stringify(jwk);
      byKey.set(key, [...(byKey.get(key) ?? []), uid]);
    }
    // Sequentially: a token that no key fits must not fill the thread pool.
    for (const [text, owners] of byKey) {
      const jwk = JSON.parse(text) as JWK;
      const token = await verify(bearer, () => importJWK(jwk, alg), issuer).catch(() => undefined);
      // Claims can be large, and only `exp` is needed later.
      if (token) return { token: { ...token, claims: { exp: token.claims["exp"] } }, identities: owners };
    }
    return undefined;
  }

  return async (bearer, issuer, subject, revision) => {
    // Includes the minute: a token that is not valid yet can become valid.
    const version = `${String(revision)} ${Math.floor(Date.now() / 60_000)}`;
    const signed = await remembered(bearer, version, () => signedBy(bearer, issuer, subject));
    if (!signed || Number(signed.token.claims["exp"]) <= Date.now() / 1_000) return [];
    const rows = await database.query<{ uid: string; definition: StaticKeys }>(
      "select uid, definition from identities where uid = any($1::text[]) and relationship = 'staticKeys'",
      [signed.identities],
    );
    return rows.flatMap(({ uid, definition }) =>
      fitsStaticKeys(definition, signed.token, publicUrl, now()) ? [uid] : [],
    );
  };
}

function header(bearer: string): { alg?: string | undefined; kid?: string | undefined } {
  try {
    const { alg, kid } = decodeProtectedHeader(bearer);
    return { alg, kid: typeof kid === "string" ? kid : undefined };
  } catch {
    return {};
  }
}
