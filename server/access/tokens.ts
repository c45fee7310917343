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

export const unavailable = (issuer: string): Failure =>
  new Failure("UNAVAILABLE", `Unavailable: the keys of the token's issuer ${issuer} cannot be read now`, [], {
    retryAfter: 5,
  });

/** Errors of reading the keys, not of the token. */
const UNREADABLE = new Set(["ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID", "ERR_JOSE_GENERIC"]);

function refusal(error: unknown, issuer: string): Failure {
  if (error instanceof Failure) return error;
  if (!(error instanceof errors.JOSEError) || UNREADABLE.has(error.code)) return unavailable(issuer);
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
    if (!storable(subject)) throw unauthenticated("the token's subject is not a usable text");
    return { issuer, subject, audiences: [aud].flat(), claims: payload };
  } catch (error) {
    throw refusal(error, issuer);
  }
}

const REMEMBERED = 1_000;

/**
 * Verifies a token once for the keys that it was verified with, until it expires: asking for a signature again tells
 * nothing new, and takes a quarter of a request. What its bearer may do is asked anew each time.
 */
export function rememberVerified(): (
  token: string,
  keys: JWTVerifyGetKey,
  verified: () => Promise<VerifiedToken>,
) => Promise<VerifiedToken> {
  const known = new WeakMap<JWTVerifyGetKey, Map<string, VerifiedToken>>();
  return async (token, keys, verified) => {
    const tokens = known.get(keys) ?? new Map<string, VerifiedToken>();
    known.set(keys, tokens);
    const before = tokens.get(token);
    if (before && Number(before.claims["exp"]) > Date.now() / 1_000) return before;
    tokens.delete(token);
    const result = await verified();
    if (tokens.size >= REMEMBERED) tokens.clear();
    tokens.set(token, result);
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
