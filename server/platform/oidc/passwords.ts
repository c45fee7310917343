import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

import { inTurn } from "./hash-queue";

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/**
 * 64 MiB and about a quarter of a second each; stored with every hash, so that it can be raised later. There is no
 * setting to lower it. Tests of other features do so in their own process.
 */
export const COST = { N: 2 ** 16, r: 8, p: 1 };
const HASH_BYTES = 32;

const derive = (
  password: string,
  salt: Buffer,
  { N, r, p }: Cost,
  client: AbortSignal | undefined,
): Promise<Buffer> =>
  inTurn(
    () =>
      new Promise((resolve, reject) => {
        // Keyboards compose accents differently; NIST SP 800-63B recommends normalization.
        const text = password.normalize("NFKC");
        scrypt(text, salt, HASH_BYTES, { N, r, p, maxmem: 256 * N * r }, (error, hash) =>
          error ? reject(error) : resolve(hash),
        );
      }),
    client,
  );

const encode = ({ N, r, p }: Cost, salt: Buffer, hash: Buffer): string =>
  ["scrypt", N, r, p, salt.toString("base64url"), hash.toString("base64url")].join("$");

/** Returns "scrypt$N$r$p$salt$hash", with salt and hash in base64url. See inTurn for `client` and errors. */
export async function hashPassword(password: string, client?: AbortSignal): Promise<string> {
  const salt = randomBytes(16);
  return encode(COST, salt, await derive(password, salt, COST, client));
}

/** Matches no password, and takes as long to check as a real hash: for unknown accounts. */
const nobody = (): string => encode(COST, randomBytes(16), randomBytes(HASH_BYTES));

/** True if the password matches the hash; false without a hash, after the same time. Throws like inTurn. */
export async function passwordFits(
  password: string,
  stored: string = nobody(),
  client?: AbortSignal,
): Promise<boolean> {
  const [scheme, N, r, p, salt = "", hash = ""] = stored.split("$");
  if (scheme !== "scrypt") throw new Error(`unknown password scheme: ${scheme}`);
  const expected = Buffer.from(hash, "base64url");
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const found = await derive(password, Buffer.from(salt, "base64url"), cost, client);
  return expected.length === found.length && timingSafeEqual(expected, found);
}
