import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from "jose";

export interface SignedToken {
  readonly token: string;
  readonly subject: string;
  /** A JWKS document with the public half of its key. */
  readonly issuerKeys: string;
}

interface Claims {
  readonly issuer: string;
  /** The registry alone takes tokens for it: the API refuses them. */
  readonly audience: string;
  /** In ms. */
  readonly now: number;
  readonly expires: Date;
  /** `repository:acme/base:pull` for one repo; undefined for all that the identity may pull. */
  readonly scope: string | undefined;
}

/**
 * Makes a key pair in this browser (WebCrypto) and signs one token. The private half cannot be exported, and is gone with
 * this call.
 */
export async function signPullToken({ issuer, audience, now, expires, scope }: Claims): Promise<SignedToken> {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const key = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(key);
  const subject = `pull-${crypto.randomUUID()}`;
  const token = await new SignJWT(scope === undefined ? {} : { scope })
    .setProtectedHeader({ alg: "ES256", typ: "JWT", kid })
    .setIssuer(issuer)
    .setSubject(subject)
    .setAudience(audience)
    .setIssuedAt(Math.floor(now / 1000))
    .setExpirationTime(Math.floor(expires.getTime() / 1000))
    .sign(privateKey);
  return {
    token,
    subject,
    issuerKeys: JSON.stringify({ keys: [{ ...key, kid, alg: "ES256", use: "sig" }] }),
  };
}
