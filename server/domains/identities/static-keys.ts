import { calculateJwkThumbprint, importJWK, type JSONWebKeySet, type JWK } from "jose";

const MOST_KEYS = 20;
/** Longer keys take longer to verify a signature with. */
const RSA_BITS = 4_096;
const EXPONENT_BITS = 32;
const KEY_NAME_BYTES = 200;
const DAY_MS = 24 * 60 * 60_000;

/** Static keys expire a year after creation of their identity, by default and at the latest. */
export const latestExpiration = (created: Date): Date => new Date(created.getTime() + 365 * DAY_MS);

/** Members that only private or shared keys have (RFC 7518, section 6). */
const PRIVATE = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/** Algorithm to try for a key that does not state one: importing requires it. */
const algorithmOf = ({ kty, crv, alg }: JWK): string => {
  if (alg !== undefined) return alg;
  if (kty === "RSA") return "RS256";
  if (kty === "OKP") return "EdDSA";
  return { "P-256": "ES256", "P-384": "ES384", "P-521": "ES512" }[crv ?? ""] ?? "";
};

/** Bits of a number in a JWK (RFC 7518, section 2). */
function bitsOf(number: unknown): number {
  const hex = Buffer.from(String(number), "base64url").toString("hex").replace(/^0+/, "");
  return hex === "" ? 0 : hex.length * 4 - Math.clz32(Number.parseInt(hex.charAt(0), 16)) + 28;
}

function memberProblem({ kty, kid, n, e }: JWK): string | undefined {
  if (
    kid !== undefined &&
    (typeof kid !== "string" || kid.includes("\0") || Buffer.byteLength(kid) > KEY_NAME_BYTES)
  )
    return `has a kid that is not text of at most ${KEY_NAME_BYTES} bytes`;
  if (kty !== "RSA") return undefined;
  if (bitsOf(n) > RSA_BITS) return `has more than ${RSA_BITS} bits`;
  if (bitsOf(e) > EXPONENT_BITS) return `has an exponent of more than ${EXPONENT_BITS} bits`;
  return undefined;
}

/** Returns why a text is not a document of public keys (RFC 7517), or undefined. */
export async function keysProblem(text: string): Promise<string | undefined> {
  let keys: unknown;
  try {
    keys = (JSON.parse(text) as JSONWebKeySet | null)?.keys;
  } catch {
    return "must be a JWKS document as text: it is not JSON";
  }
  if (!Array.isArray(keys) || keys.length === 0) return 'must be a JWKS document with a list "keys"';
  if (keys.length > MOST_KEYS) return `must have at most ${MOST_KEYS} keys`;
  const seen = new Set<string>();
  for (const [index, key] of (keys as (JWK | null)[]).entries()) {
    if (typeof key !== "object" || key === null) return `key ${index} is not an object`;
    if (key.kty === "oct" || PRIVATE.some((member) => member in key))
      return `key ${index} is not a public key; never share a private key`;
    const problem = memberProblem(key);
    if (problem !== undefined) return `key ${index} ${problem}`;
    try {
      await importJWK(key, algorithmOf(key));
      const thumbprint = await calculateJwkThumbprint(key);
      if (seen.has(thumbprint)) return `key ${index} appears twice`;
      seen.add(thumbprint);
    } catch {
      return `key ${index} cannot be used to verify a signature`;
    }
  }
  return undefined;
}
