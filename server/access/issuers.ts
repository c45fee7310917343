import { createRemoteJWKSet, type JWTVerifyGetKey } from "jose";

import { isSafeAddress, unavailable } from "./tokens";

const TIMEOUT_MS = 5_000;

export const withoutSlash = (issuer: string): string => issuer.replace(/\/+$/, "");

/** Reads the address of an issuer's keys (OpenID Connect Discovery 1.0, section 4). */
async function discover(issuer: string): Promise<JWTVerifyGetKey> {
  try {
    const answer = await fetch(`${withoutSlash(issuer)}/.well-known/openid-configuration`, {
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const document = (await answer.json()) as { issuer?: unknown; jwks_uri?: unknown };
    if (!answer.ok || document.issuer !== issuer || !isSafeAddress(document.jwks_uri))
      throw unavailable(issuer);
    return createRemoteJWKSet(new URL(document.jwks_uri), { timeoutDuration: TIMEOUT_MS });
  } catch {
    throw unavailable(issuer);
  }
}

/** So long a failure stands, in milliseconds: a token that anybody can make up must not be a request to somebody else. */
const PAUSE_MS = 1_000;

/**
 * The keys of the trusted issuers, each looked for at the first token of its issuer and kept.
 * @returns undefined for an issuer that is not trusted; throws UNAVAILABLE when one that is cannot be reached
 */
export function trustedKeys(
  trusted: readonly string[],
): (issuer: string) => Promise<JWTVerifyGetKey> | undefined {
  const known = new Set(trusted.map(withoutSlash));
  const found = new Map<string, Promise<JWTVerifyGetKey>>();
  return (issuer) => {
    // As it is configured, or with the slash that some issuers end in; no other spelling is anybody's.
    if (!known.has(issuer.replace(/\/$/, ""))) return undefined;
    const before = found.get(issuer);
    if (before) return before;
    const keys = discover(issuer);
    found.set(issuer, keys);
    keys.catch(() => setTimeout(() => found.delete(issuer), PAUSE_MS).unref());
    return keys;
  };
}
