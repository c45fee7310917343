import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT, type JWK } from "jose";

import { scopeOfSubject } from "./pull-tokens";

export interface SignedToken {
  readonly token: string;
  readonly subject: string;
  /** The public half of its key. */
  readonly key: JWK;
}

interface Claims {
  readonly issuer: string;
  /** The registry alone takes tokens for it: the API refuses them. */
  readonly audience: string;
  /** In ms. */
  readonly now: number;
  readonly expires: Date;
  /** Says what the token is for, so that one that replaces it can pull no more (`newSubject`). */
  readonly subject: string;
}

/** A subject of a new identity. @param repository `acme/base` for one repo; undefined for all that it may pull */
export const newSubject = (repository: string | undefined): string =>
  `pull-${crypto.randomUUID()}@${repository ?? "*"}`;

/** A JWKS document with one key (RFC 7517). */
export const keysDocument = (key: JWK): string => JSON.stringify({ keys: [key] });

/**
 * Makes a key pair in this browser (WebCrypto) and signs one token. The private half cannot be exported, and is gone with
 * this call.
 */
export async function signPullToken({
  issuer,
  audience,
  now,
  expires,
  subject,
}: Claims): Promise<SignedToken> {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const key = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(key);
  const repository = scopeOfSubject(subject);
  const token = await new SignJWT(repository === "*" ? {} : { scope: `repository:${repository}:pull` })
    .setProtectedHeader({ alg: "ES256", typ: "JWT", kid })
    .setIssuer(issuer)
    .setSubject(subject)
    .setAudience(audience)
    .setIssuedAt(Math.floor(now / 1000))
    .setExpirationTime(Math.floor(expires.getTime() / 1000))
    .sign(privateKey);
  return { token, subject, key: { ...key, kid, alg: "ES256", use: "sig" } };
}
