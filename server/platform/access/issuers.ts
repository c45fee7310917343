import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose";

import { trimEndOf } from "platform-contract/trim";

import { ConfigError, isThisMachine } from "../../config";
import { outbound, type Outbound } from "../../outbound";
import { isSafeAddress, unavailable } from "./tokens";

/** Milliseconds for which a failure is cached: forged tokens must not each cause a request to a third party. */
const PAUSE_MS = 1_000;

export const withoutSlash = (issuer: string): string => trimEndOf(issuer, "/");

/** Trusted issuers are configured by the operator, so they can be in a private network. */
const fetchDocument = outbound({ milliseconds: 5_000, anywhere: true });

/** `fetchDocument` that fails immediately for a second after a failure. */
function patiently(): Outbound {
  let failedAt = -Infinity;
  return async (address, init) => {
    if (performance.now() - failedAt < PAUSE_MS) throw new Error(`${address} failed a moment ago`);
    try {
      return await fetchDocument(address, init);
    } catch (error) {
      failedAt = performance.now();
      throw error;
    }
  };
}

interface Discovery {
  readonly issuer?: unknown;
  readonly jwks_uri?: unknown;
}

/** Throws a ConfigError if a remote issuer claims that its keys are on this machine, at one of our own services. */
export function checkIssuer(issuer: string, { jwks_uri: address }: Discovery): void {
  if (isSafeAddress(address) && isThisMachine(address) && !isThisMachine(issuer))
    throw new ConfigError(
      `TRUSTED_ISSUERS: ${issuer} claims that its keys are on this machine, at ${address}`,
    );
}

/** Reads an issuer's metadata (OpenID Connect Discovery 1.0, section 4); throws an error that names the issuer. */
export async function readDiscovery(issuer: string): Promise<Discovery> {
  const answer = await fetchDocument(`${withoutSlash(issuer)}/.well-known/openid-configuration`);
  const document: Discovery = Object(await answer.json());
  if (!answer.ok || document.issuer !== issuer || !isSafeAddress(document.jwks_uri))
    throw new Error(`${issuer} has an invalid discovery document`);
  checkIssuer(issuer, document);
  return document;
}

/** Throws a ConfigError for an issuer whose keys would never be read. Ignores unreachable issuers: they can recover. */
export async function checkIssuers(trusted: readonly string[]): Promise<void> {
  const checks = trusted.filter((issuer) => !isThisMachine(issuer)).map((issuer) => readDiscovery(issuer));
  for (const check of await Promise.allSettled(checks))
    if (check.status === "rejected" && check.reason instanceof ConfigError) throw check.reason;
}

async function discover(issuer: string): Promise<JWTVerifyGetKey> {
  try {
    const { jwks_uri: address } = await readDiscovery(issuer);
    const read = patiently();
    return createRemoteJWKSet(new URL(String(address)), {
      [customFetch]: (url, { headers }) => read(url, { headers }),
    });
  } catch (error) {
    throw unavailable(issuer, error);
  }
}

/**
 * Looks up the keys of trusted issuers, each at the first token of its issuer, and caches them.
 * @returns undefined for an issuer that is not trusted; throws UNAVAILABLE if a trusted one cannot be reached
 */
export function trustedKeys(
  trusted: readonly string[],
): (issuer: string) => Promise<JWTVerifyGetKey> | undefined {
  const known = new Set(trusted.map(withoutSlash));
  const found = new Map<string, Promise<JWTVerifyGetKey>>();
  return (issuer) => {
    // As configured, or with the trailing slash that some issuers have; no other spelling matches.
    if (!known.has(issuer.replace(/\/$/, ""))) return undefined;
    const before = found.get(issuer);
    if (before) return before;
    const keys = discover(issuer);
    found.set(issuer, keys);
    keys.catch(() => setTimeout(() => found.delete(issuer), PAUSE_MS).unref());
    return keys;
  };
}
