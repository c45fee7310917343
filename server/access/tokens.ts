import {
  createLocalJWKSet,
  errors,
  jwtVerify,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
} from "jose";

import { isLoopback } from "../config";
import { Failure, unauthenticated } from "../status";
import type { VerifiedToken } from "./matching";

/** No secret that both sides know, and never none. */
const ASYMMETRIC = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" ");
const CLAIM_BYTES = 1_000;
const AUDIENCES = 100;

export const unavailable = (issuer: string, cause?: unknown): Failure =>
  new Failure("UNAVAILABLE", `Unavailable: the keys of the token's issuer ${issuer} cannot be read now`, [], {
    retryAfter: 5,
    ...(cause !== undefined && { cause }),
  });

/** Errors of reading the keys, not of the token. */
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

/** Verifies signature and times. Throws UNAUTHENTICATED, or UNAVAILABLE when the keys cannot be read. */
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
    if (audiences.length > AUDIENCES) throw unauthenticated("the token is for too many audiences");
    return { issuer, subject, audiences, claims: payload };
  } catch (error) {
    throw refusal(error, issuer);
  }
}

const REMEMBERED = 1_000;
/** Longer ones are verified each time: their claims would be most of the memory. */
const REMEMBERED_LENGTH = 8_000;

/**
 * Verifies a token once for the keys that it was verified with, until it expires, or for so many `seconds`: asking for a
 * signature again tells nothing new, and takes a quarter of a request. What its bearer may do is asked anew each time.
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

/** The keys of a set that keeps being the same one; jose remembers what it made of a set by its identity. */
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

/** Whether keys may be fetched from this address. */
export const isSafeAddress = (address: unknown): address is string =>
  typeof address === "string" &&
  URL.canParse(address) &&
  (address.startsWith("https:") || (address.startsWith("http:") && isLoopback(address)));
