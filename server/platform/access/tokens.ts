import {
  createLocalJWKSet,
  errors,
  jwtVerify,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
} from "jose";

import { parseUrl } from "platform-contract/url";

import { isLoopback } from "../../config";
import { Failure, unauthenticated } from "../../status";
import type { VerifiedToken } from "./matching";

/** No shared secrets (HMAC), and never "none". */
const ASYMMETRIC = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" ");
const CLAIM_BYTES = 1_000;
const AUDIENCES = 100;

export const unavailable = (issuer: string, cause?: unknown): Failure =>
  new Failure("UNAVAILABLE", `Unavailable: the keys of the token's issuer ${issuer} cannot be read now`, [], {
    retryAfter: 5,
    ...(cause !== undefined && { cause }),
  });

/** Errors of reading the keys, rather than of the token. */
const UNREADABLE = new Set(["ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID", "ERR_JOSE_GENERIC"]);

function refusal(error: unknown, issuer: string): Failure {
  if (error instanceof Failure) return error;
  if (!(error instanceof errors.JOSEError) || UNREADABLE.has(error.code)) return unavailable(issuer, error);
  if (error instanceof errors.JWTExpired) return unauthenticated("the token has expired");
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === "aud")
    return unauthenticated("the token is not meant for this service");
  return unauthenticated("the token is not valid");
}

const storable = (text: unknown): text is string =>
  typeof text === "string" && text !== "" && !text.includes("\0") && Buffer.byteLength(text) <= CLAIM_BYTES;

/** Verifies signature and times. Throws UNAUTHENTICATED, or UNAVAILABLE if the keys cannot be read. */
export async function verify(
  token: string,
  keys: JWTVerifyGetKey,
  issuer: string,
  options: JWTVerifyOptions = {},
): Promise<VerifiedToken> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ASYMMETRIC,
      clockTolerance: 10,
      ...options,
      issuer,
      requiredClaims: ["exp", "sub"],
    });
    const { sub: subject, aud = [] } = payload;
    if (!storable(subject)) throw unauthenticated("the token's subject is not valid");
    const audiences = [aud].flat();
    if (audiences.length > AUDIENCES) throw unauthenticated("the token has too many audiences");
    return { issuer, subject, audiences, claims: payload };
  } catch (error) {
    throw refusal(error, issuer);
  }
}

const REMEMBERED = 1_000;
/** Longer tokens are not cached: their claims would take most of the memory. */
const REMEMBERED_LENGTH = 8_000;

/**
 * Caches verified tokens by keys until they expire, for at most `seconds`: verifying a signature again adds nothing and
 * takes a quarter of a request's time. The rights of the bearer are not cached.
 */
export function rememberVerified(
  seconds = Infinity,
): (token: string, keys: JWTVerifyGetKey, verified: () => Promise<VerifiedToken>) => Promise<VerifiedToken> {
  const known = new WeakMap<JWTVerifyGetKey, Map<string, { token: VerifiedToken; until: number }>>();
  return async (token, keys, verified) => {
    const tokens = known.get(keys) ?? new Map<string, { token: VerifiedToken; until: number }>();
    known.set(keys, tokens);
    const now = Date.now() / 1_000;
    const before = tokens.get(token);
    if (before && before.until > now) return before.token;
    tokens.delete(token);
    const result = await verified();
    if (token.length > REMEMBERED_LENGTH) return result;
    if (tokens.size >= REMEMBERED) tokens.clear();
    tokens.set(token, { token: result, until: Math.min(Number(result.claims["exp"]), now + seconds) });
    return result;
  };
}

/** Returns the same key set function while the keys are equal: jose caches imported keys per function. */
export function localKeys(): (keys: JSONWebKeySet) => JWTVerifyGetKey {
  let known = "";
  let set: JWTVerifyGetKey | undefined;
  return (keys) => {
    const text = JSON.stringify(keys);
    if (!set || text !== known) set = createLocalJWKSet(keys);
    known = text;
    return set;
  };
}

/** True if keys can be fetched from this address. */
export const isSafeAddress = (address: unknown): address is string =>
  typeof address === "string" &&
  parseUrl(address) !== undefined &&
  (address.startsWith("https:") || (address.startsWith("http:") && isLoopback(address)));
