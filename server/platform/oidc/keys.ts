import type { JWK } from "jose";
import { randomBytes } from "node:crypto";

import type { Database } from "../store/database";
import { makeSigningKey } from "../store/keys/es256";
import { keepSecret, readSecret, replaceSecret } from "../store/keys/secrets";

export interface Keys {
  /** Private, ES256; the first one signs, all verify. */
  readonly signing: readonly JWK[];
  /** The first one signs cookies, all verify. */
  readonly cookies: readonly string[];
}

const SIGNING = "provider-signing-keys";
const COOKIES = "provider-cookie-keys";

const DAY_MS = 24 * 3600_000;
/** Milliseconds for which a retired key still verifies: during a session an ID token can be the sign-out hint. */
const VERIFIES_MS = 15 * DAY_MS;

/** As stored, with its creation time. */
interface SigningKey extends JWK {
  readonly made?: string;
}

const makeKey = async (now: Date): Promise<SigningKey> => ({
  ...(await makeSigningKey()),
  made: now.toISOString(),
});

const keep = (database: Database, name: string, make: () => Promise<unknown>): Promise<string> =>
  keepSecret(database, name, async () => JSON.stringify(await make()));

const madeAt = ({ made }: SigningKey): number => (made === undefined ? 0 : Date.parse(made));

/** Adds a new key in front if the newest is older than `maxAge`, and drops keys retired long ago. */
async function rotate(database: Database, stored: string, maxAge: number, now: Date): Promise<void> {
  const keys: SigningKey[] = JSON.parse(stored);
  const [newest] = keys;
  if (newest && now.getTime() - madeAt(newest) < maxAge) return;
  // A key was retired when its successor, the one before it, was made.
  const kept = keys.filter((_, index) => {
    const successor = keys[index - 1];
    return !successor || now.getTime() - madeAt(successor) < VERIFIES_MS;
  });
  // If two processes rotate concurrently, the second update matches no row.
  await replaceSecret(database, SIGNING, {
    before: stored,
    after: JSON.stringify([await makeKey(now), ...kept]),
  });
}

/**
 * Loads the provider's keys from the database, so that a restart does not sign users out. The signing key is replaced
 * after `maxAge` days. Zero is for a database that may have leaked: it replaces all keys, and all users must sign in
 * again.
 */
export async function loadKeys(database: Database, maxAge: number, now: Date): Promise<Keys> {
  if (maxAge === 0)
    await database.transaction(async (queries) => {
      await queries.query("delete from secrets");
      await queries.query("delete from provider_records");
    });
  const stored = await keep(database, SIGNING, async () => [await makeKey(now)]);
  if (maxAge > 0) await rotate(database, stored, maxAge * DAY_MS, now);
  const cookies = await keep(database, COOKIES, async () => [randomBytes(32).toString("base64url")]);
  return { signing: await readSigningKeys(database), cookies: JSON.parse(cookies) };
}

/** Reads the current signing keys, which another process can have changed. */
export async function readSigningKeys(database: Database): Promise<JWK[]> {
  const keys: SigningKey[] = JSON.parse((await readSecret(database, SIGNING)) ?? "[]");
  return keys.map((key) => {
    const { made, ...jwk } = key;
    return made === undefined ? key : jwk;
  });
}
