import { importJWK, SignJWT, type JWK, type JWTPayload } from "jose";

import type { Config } from "../../config";
import { now } from "../store/clock";
import type { Database } from "../store/database";
import { readSigningKeys } from "./keys";

/** Milliseconds until the keys are read again: another process may have rotated the signing key. */
const READ_EVERY = 60_000;

/** Signs claims as the service's own issuer, valid from now. */
export type Signer = (
  claims: JWTPayload,
  options: { subject: string; audience: string; typ: string; seconds: number },
) => Promise<string>;

/** Signs with the provider's keys, published at its `jwks_uri`. */
export function createSigner({ issuer }: Pick<Config, "issuer">, database: Database): Signer {
  let known: { readonly key: JWK; readonly until: number } | undefined;
  async function signingKey(): Promise<JWK> {
    const time = performance.now();
    if (known && time < known.until) return known.key;
    const [key] = await readSigningKeys(database);
    if (!key) throw new Error("there is no key to sign with");
    known = { key, until: time + READ_EVERY };
    return key;
  }
  return async (claims, { subject, audience, typ, seconds }) => {
    const key = await signingKey();
    const { alg = "ES256", kid = "" } = key;
    const at = Math.floor(now().getTime() / 1000);
    return new SignJWT(claims)
      .setProtectedHeader({ alg, kid, typ })
      .setIssuer(issuer)
      .setSubject(subject)
      .setAudience(audience)
      .setIssuedAt(at)
      .setExpirationTime(at + seconds)
      .sign(await importJWK(key, alg));
  };
}
