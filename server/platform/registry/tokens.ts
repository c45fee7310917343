import { importJWK, SignJWT, type JWK } from "jose";
import { randomUUID } from "node:crypto";

import type { RegistrySettings } from "../../config";
import { now } from "../store/clock";
import type { Database } from "../store/database";
import { registrySigningKey } from "./keys";

/** Milliseconds until the key is read again: another process may have rotated it. */
const READ_EVERY = 60_000;
/** Seconds by which the registry's clock can be behind. */
const BEHIND_S = 10;

/** One entry of a token's `access` claim (Distribution, "Token Authentication Implementation"). */
export interface RegistryAccess {
  readonly type: "repository" | "registry";
  readonly name: string;
  readonly actions: readonly string[];
}

export interface RegistryToken {
  readonly token: string;
  readonly issuedAt: string;
  readonly seconds: number;
}

/** Signs a token for the registry. `subject` is what its notifications say as the actor. */
export type SignForRegistry = (
  subject: string,
  access: readonly RegistryAccess[],
  seconds: number,
) => Promise<RegistryToken>;

/** Signs with keys that nothing else uses or trusts: the API and the exchange refuse these tokens. */
export function createRegistrySigner(
  { issuer, service }: Pick<RegistrySettings, "issuer" | "service">,
  database: Database,
): SignForRegistry {
  let known: { readonly key: JWK; readonly until: number } | undefined;
  async function signingKey(): Promise<JWK> {
    const time = performance.now();
    if (known && time < known.until) return known.key;
    known = { key: await registrySigningKey(database), until: time + READ_EVERY };
    return known.key;
  }
  return async (subject, access, seconds) => {
    const key = await signingKey();
    const { kid = "" } = key;
    const at = Math.floor(now().getTime() / 1000);
    const token = await new SignJWT({ access })
      .setProtectedHeader({ alg: "ES256", typ: "JWT", kid })
      .setIssuer(issuer)
      .setSubject(subject)
      .setAudience(service)
      .setIssuedAt(at)
      .setNotBefore(at - BEHIND_S)
      .setExpirationTime(at + seconds)
      .setJti(randomUUID())
      .sign(await importJWK(key, "ES256"));
    return { token, issuedAt: new Date(at * 1000).toISOString(), seconds };
  };
}
