import { exportJWK, importJWK, type JSONWebKeySet, type JWK } from "jose";
import { createHash, createPublicKey, webcrypto, type JsonWebKey } from "node:crypto";

import type { Database, Queries } from "../store/database";
import { makeSigningKey, publicKeys } from "../store/keys/es256";
import { keepSecret, readSecret, replaceSecret } from "../store/keys/secrets";

const NAME = "registry-signing-keys";
const DAY_MS = 24 * 3600_000;
/** Milliseconds for which a retired key is still published: no token lives longer than a day. */
const PUBLISHED_MS = 15 * DAY_MS;
/** Years for which a certificate says that it is valid; the key in it is replaced long before. */
const CERTIFICATE_YEARS = 10;

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/**
 * The key ID by which Distribution 2.8 finds a key among the certificates of its `rootcertbundle`: SHA-256 of the public
 * key in DER, its first 30 bytes in base32, in groups of four (github.com/docker/libtrust, `keyIDFromCryptoKey`).
 */
export function libtrustId(key: JWK): string {
  const { kty, crv, x, y } = key;
  const der = createPublicKey({ key: { kty, crv, x, y } as JsonWebKey, format: "jwk" }).export({
    type: "spki",
    format: "der",
  });
  const bits = [...createHash("sha256").update(der).digest().subarray(0, 30)]
    .map((byte) => byte.toString(2).padStart(8, "0"))
    .join("");
  const letters = (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join("");
  return (letters.match(/.{4}/g) ?? []).join(":");
}

interface StoredKey extends JWK {
  readonly made: string;
}

async function makeKey(at: Date): Promise<StoredKey> {
  const key = await makeSigningKey();
  return { ...key, kid: libtrustId(key), made: at.toISOString() };
}

/**
 * Makes the keys at the first start with a registry, and rotates them when the one that signs has signed for `maxAge`
 * days. A registry reads its list of keys from a file, so the next key is in that list for a whole period before it
 * signs: the first one of the list is next, the second signs, later ones have signed.
 */
export async function loadRegistryKeys(database: Database, maxAge: number, at: Date): Promise<void> {
  const stored = await keepSecret(database, NAME, async () =>
    JSON.stringify([await makeKey(at), await makeKey(at)]),
  );
  const keys = JSON.parse(stored) as StoredKey[];
  const ageOf = (key: StoredKey | undefined) => at.getTime() - Date.parse(key?.made ?? "");
  if (maxAge === 0 || ageOf(keys[0]) < maxAge * DAY_MS) return;
  // A key began to sign when its successor was made, and was retired when the one after that was.
  const kept = keys.filter((_, index) => index < 2 || ageOf(keys[index - 2]) < PUBLISHED_MS);
  await replaceSecret(database, NAME, {
    before: stored,
    after: JSON.stringify([await makeKey(at), ...kept]),
  });
}

async function readKeys(queries: Queries): Promise<JWK[]> {
  const keys = JSON.parse((await readSecret(queries, NAME)) ?? "[]") as StoredKey[];
  return keys.map((stored) => {
    const { made: _made, ...key } = stored;
    return key;
  });
}

/** False before the first start with a registry. */
export const hasRegistryKeys = async (queries: Queries): Promise<boolean> =>
  (await readSecret(queries, NAME)) !== undefined;

/** The private key that signs now. */
export async function registrySigningKey(queries: Queries): Promise<JWK> {
  const [next, signing = next] = await readKeys(queries);
  if (!signing) throw new Error("there is no key for the registry's tokens");
  return signing;
}

/** Public keys, the next one included (RFC 7517). Distribution 3 reads them from the file that `auth.token.jwks` names. */
export const registryKeys = async (queries: Queries): Promise<JSONWebKeySet> =>
  publicKeys(await readKeys(queries));

/** Certificates of the same keys in PEM, each signed with its own: the `rootcertbundle` of Distribution 2.8. */
export async function registryCertificates(queries: Queries, issuer: string, at: Date): Promise<string> {
  // Only the command needs them; the second asks for the first.
  await import("reflect-metadata");
  const { X509CertificateGenerator } = await import("@peculiar/x509");
  const until = new Date(at);
  until.setUTCFullYear(until.getUTCFullYear() + CERTIFICATE_YEARS);
  const made: string[] = [];
  for (const key of await readKeys(queries)) {
    const { use: _use, ...own } = key;
    const privateKey = (await importJWK(own, "ES256", { extractable: true })) as webcrypto.CryptoKey;
    const { d: _private, ...rest } = await exportJWK(privateKey);
    const publicKey = (await importJWK(rest, "ES256", { extractable: true })) as webcrypto.CryptoKey;
    const certificate = await X509CertificateGenerator.createSelfSigned(
      {
        name: [{ CN: [`platform registry tokens of ${new URL(issuer).host}`] }],
        notBefore: at,
        notAfter: until,
        signingAlgorithm: { name: "ECDSA", hash: "SHA-256" },
        keys: { privateKey, publicKey },
      },
      webcrypto as Crypto,
    );
    made.push(certificate.toString("pem"));
  }
  return `${made.join("\n")}\n`;
}
