import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JSONWebKeySet, type JWK } from "jose";
import { randomBytes } from "node:crypto";

import type { Database } from "../store/database";

export interface Keys {
  /** Private, ES256; the first one signs, all verify. */
  readonly signing: readonly JWK[];
  /** The first one signs cookies, all verify. */
  readonly cookies: readonly string[];
}

async function makeSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const key = await exportJWK(privateKey);
  return { ...key, kid: await calculateJwkThumbprint(key), use: "sig", alg: "ES256" };
}

/** Several processes may start at once: the first one's value is everybody's. */
async function keep<T>(database: Database, name: string, make: () => Promise<T>): Promise<T> {
  const read = () => database.query<{ value: string }>("select value from secrets where name = $1", [name]);
  let rows = await read();
  if (rows.length === 0) {
    await database.query("insert into secrets (name, value) values ($1, $2) on conflict (name) do nothing", [
      name,
      JSON.stringify(await make()),
    ]);
    rows = await read();
  }
  return JSON.parse(rows[0]?.value ?? "") as T;
}

/** The provider's keys, made once and kept in the database, so that a restart signs nobody out. */
export const loadKeys = async (database: Database): Promise<Keys> => ({
  signing: await keep(database, "provider-signing-keys", async () => [await makeSigningKey()]),
  cookies: await keep(database, "provider-cookie-keys", async () => [randomBytes(32).toString("base64url")]),
});

/** The set without its private halves. */
export const publicKeys = ({ signing }: Keys): JSONWebKeySet => ({
  keys: signing.map(({ kty, crv, x, y, kid, use, alg }) => ({ kty, crv, x, y, kid, use, alg }) as JWK),
});
