import { createHash } from "node:crypto";
import { importJWK, SignJWT, type JWK } from "jose";

import type { Config } from "../config";
import { readSigningKeys } from "../oidc/keys";
import { now } from "../store/clock";
import type { Database } from "../store/database";

/** Milliseconds until the keys are read again: another process may have rotated the signing key. */
const READ_EVERY = 60_000;
/** Token lifetime in seconds: each attempt gets its own token. */
const LIFE = 300;

/** A digest as in claims and headers: the algorithm and the hash in hex. */
export const digestOf = (body: string): string => `sha256:${createHash("sha256").update(body).digest("hex")}`;

/** Creates the token that accompanies an event to a subscribing group. */
export type Sign = (group: string, body: string) => Promise<string>;

/** Signs with the provider's keys, published at its `jwks_uri` (contract 3.1). */
export function createSign({ issuer }: Pick<Config, "issuer">, database: Database): Sign {
  let known: { readonly key: JWK; readonly until: number } | undefined;
  async function signingKey(): Promise<JWK> {
    const time = performance.now();
    if (known && time < known.until) return known.key;
    const [key] = await readSigningKeys(database);
    if (!key) throw new Error("there is no key to sign events with");
    known = { key, until: time + READ_EVERY };
    return key;
  }
  return async (group, body) => {
    const key = await signingKey();
    const { alg = "ES256", kid = "" } = key;
    const at = Math.floor(now().getTime() / 1000);
    return new SignJWT({ webhook: { digest: digestOf(body) } })
      .setProtectedHeader({ alg, kid, typ: "JWT" })
      .setIssuer(issuer)
      .setSubject(`webhook:${group}`)
      .setAudience("customer")
      .setIssuedAt(at)
      .setExpirationTime(at + LIFE)
      .sign(await importJWK(key, alg));
  };
}
