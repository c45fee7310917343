import { decodeProtectedHeader, importJWK, type JSONWebKeySet, type JWK } from "jose";

import { now } from "../store/clock";
import type { Database, Queries } from "../store/database";
import { fitsStaticKeys, type StaticKeys, type VerifiedToken } from "./matching";
import { registeredKeys, replaceStaticKeys, staticKeysOf, type Registered } from "./recognition.table";
import { rememberByToken } from "./remembered";
import { verify } from "./tokens";

/**
 * Maximum keys to try per token. Round-robin over organizations, oldest identities first, so that no tenant crowds out
 * another.
 */
const KEYS_TRIED = 8;
/** Lists of keys, imported keys, and keys that have signed a token, to keep of each. */
const KEPT = 500;

/** Returns the key type and curve of a token's algorithm (RFC 7518, section 3.1; RFC 8037). */
function keyKind(algorithm: string): readonly [type: string, curve: string] | undefined {
  if (/^[RP]S(?:256|384|512)$/.test(algorithm)) return ["RSA", ""];
  if (algorithm === "EdDSA" || algorithm === "Ed25519") return ["OKP", "Ed25519"];
  const curve = { ES256: "P-256", ES384: "P-384", ES512: "P-521" }[algorithm];
  return curve === undefined ? undefined : ["EC", curve];
}

/** JSON of the members needed to verify a signature; no others are stored. */
const publicPart = ({ kty, crv, x, y, n, e, alg }: JWK): string =>
  JSON.stringify({ kty, crv, x, y, n, e, alg });

/** Stores an identity's keys in their own table, replacing previous ones. Runs in the identity's transaction. */
export async function storeStaticKeys(
  queries: Queries,
  identity: string,
  definition: StaticKeys | undefined,
): Promise<void> {
  if (!definition) return replaceStaticKeys(queries, identity, []);
  const { issuer, subject, issuerKeys } = definition;
  const { keys }: JSONWebKeySet = JSON.parse(issuerKeys);
  const stored = keys.map((key) => ({
    issuer,
    subject,
    kid: key.kid ?? null,
    jwk: publicPart(key),
  }));
  return replaceStaticKeys(queries, identity, stored);
}

/** A token to be matched, and the audiences that mean this service unless an identity states its own. */
interface TokenOf {
  readonly issuer: string;
  readonly subject: string;
  readonly audiences: readonly string[];
}

interface Signed {
  readonly token: VerifiedToken;
  readonly identities: readonly string[];
}

/** Finds the identities with a registered key that signed a token. Caches results until `revision` changes. */
export function staticKeyMatcher(
  database: Database,
): (bearer: string, of: TokenOf, revision: unknown) => Promise<string[]> {
  const remembered = rememberByToken<Signed | undefined>();

  const lists = new Map<string, { revision: unknown; keys: readonly Registered[] }>();
  const imported = new Map<string, ReturnType<typeof importJWK>>();
  /** The key that signed the last valid token of an issuer and subject, by `kid` and algorithm: it is tried first. */
  const proven = new Map<string, string>();

  function keep<T>(of: Map<string, T>, key: string, value: T): T {
    of.delete(key);
    of.set(key, value);
    for (const oldest of of.keys()) {
      if (of.size <= KEPT) break;
      of.delete(oldest);
    }
    return value;
  }

  /**
   * The keys with a key ID, those without one (null), or all (undefined). Cached if there are any, so that made-up tokens
   * do not each read them.
   */
  async function registered(
    issuer: string,
    subject: string,
    { alg, kid, revision }: { alg: string; kid: string | null | undefined; revision: unknown },
  ): Promise<readonly Registered[]> {
    const id = JSON.stringify([issuer, subject, alg, kid === undefined ? "all" : [kid]]);
    const before = lists.get(id);
    if (before && before.revision === revision) return before.keys;
    const [type = "", curve = ""] = keyKind(alg) ?? [];
    const keys = await registeredKeys(database, { issuer, subject, type, curve, alg, kid });
    if (keys.length > 0) keep(lists, id, { revision, keys });
    return keys;
  }

  async function signedBy(
    bearer: string,
    issuer: string,
    subject: string,
    revision: unknown,
  ): Promise<Signed | undefined> {
    const { alg = "", kid } = header(bearer);
    if (!keyKind(alg) || kid?.includes("\0")) return undefined;
    // Handwritten key documents rarely have key IDs: keys without one match any, after those with it.
    const rows: Registered[] = [];
    for (const id of kid === undefined ? [undefined] : [kid, null])
      rows.push(...(await registered(issuer, subject, { alg, kid: id, revision })));
    const owners = new Map<string, string[]>();
    for (const { uid, key } of rows) owners.set(key, [...(owners.get(key) ?? []), uid]);
    const name = JSON.stringify([issuer, subject, alg, kid]);
    const first = proven.get(name) ?? "";
    const tried = [...owners.keys()].toSorted((a, b) => Number(b === first) - Number(a === first));
    // Sequentially: a token that no key fits must not fill the thread pool.
    for (const key of tried.slice(0, KEYS_TRIED)) {
      const id = `${alg} ${key}`;
      const use = imported.get(id) ?? importJWK(JSON.parse(key), alg);
      keep(imported, id, use);
      const token = await verify(bearer, () => use, issuer).catch(() => undefined);
      if (!token) continue;
      keep(proven, name, key);
      // Claims can be large, and only `exp` is needed later.
      return { token: { ...token, claims: { exp: token.claims["exp"] } }, identities: owners.get(key) ?? [] };
    }
    return undefined;
  }

  return async (bearer, { issuer, subject, audiences }, revision) => {
    // Includes the minute: a token that is not valid yet can become valid.
    const version = `${String(revision)} ${Math.floor(Date.now() / 60_000)}`;
    const signed = await remembered(bearer, version, () => signedBy(bearer, issuer, subject, revision));
    if (!signed || Number(signed.token.claims["exp"]) <= Date.now() / 1_000) return [];
    const rows = await staticKeysOf(database, signed.identities);
    return rows.flatMap(({ uid, definition }) =>
      fitsStaticKeys(definition, signed.token, audiences, now()) ? [uid] : [],
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
