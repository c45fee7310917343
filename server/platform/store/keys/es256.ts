import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JSONWebKeySet, type JWK } from "jose";

/** A new private key, with its thumbprint as key ID. */
export async function makeSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const key = await exportJWK(privateKey);
  return { ...key, kid: await calculateJwkThumbprint(key), use: "sig", alg: "ES256" };
}

/** The keys without their private parts. */
export const publicKeys = (keys: readonly JWK[]): JSONWebKeySet => ({
  keys: keys.map(({ kty, crv, x, y, kid, use, alg }) => ({ kty, crv, x, y, kid, use, alg }) as JWK),
});
