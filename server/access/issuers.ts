import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose";

import { ConfigError, isThisMachine } from "../config";
import { outbound, type Outbound } from "../outbound";
import { isSafeAddress, unavailable } from "./tokens";

/** So long a failure stands, in milliseconds: a token that anybody can make up must not be a request to somebody else. */
const PAUSE_MS = 1_000;

export const withoutSlash = (issuer: string): string => issuer.replace(/\/+$/, "");

/** The operator vouches for trusted issuers: they may stand in the service's own network. */
const fetchDocument = outbound({ milliseconds: 5_000, anywhere: true });

/** `fetchDocument`, which fails at once for a second after it has failed. */
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

/** Throws a ConfigError when a remote issuer says that its keys are on this machine, whose own services only we reach. */
export function checkIssuer(issuer: string, { jwks_uri: address }: Discovery): void {
  if (isSafeAddress(address) && isThisMachine(address) && !isThisMachine(issuer))
    throw new ConfigError(`TRUSTED_ISSUERS: ${issuer} says that its keys are on this machine, at ${address}`);
}

/** Reads what an issuer says of itself (OpenID Connect Discovery 1.0, section 4). */
async function readDiscovery(issuer: string): Promise<Discovery> {
  const answer = await fetchDocument(`${withoutSlash(issuer)}/.well-known/openid-configuration`);
  const document = (await answer.json()) as Discovery | null;
  if (!answer.ok || document?.issuer !== issuer || !isSafeAddress(document.jwks_uri))
    throw new Error(`${issuer} does not describe itself as an issuer does`);
  checkIssuer(issuer, document);
  return document;
}

/** Throws a ConfigError for an issuer whose keys would never be read. One that cannot be reached may be back later. */
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
