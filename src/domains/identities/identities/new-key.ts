import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair, type JWK } from "jose";

export interface NewKey {
  /** With its thumbprint as key id (RFC 7638). */
  readonly publicKey: JWK;
  /** The private half as a PKCS #8 file. */
  readonly privatePem: () => Promise<string>;
}

/** Makes a key pair for ES256 in this browser (WebCrypto). Nothing of it is sent or stored. */
export async function newKey(): Promise<NewKey> {
  const pair = await generateKeyPair("ES256", { extractable: true });
  const key = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(key);
  return {
    publicKey: { ...key, kid, alg: "ES256", use: "sig" },
    privatePem: () => exportPKCS8(pair.privateKey),
  };
}
