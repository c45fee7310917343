import { exportJWK, generateKeyPair, type JWK } from "jose";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";

import { signed } from "../../testing/issuer";
import { TestStore } from "../../testing/store";
import { createAuthenticator, type Authenticator } from "./authenticate";

const PUBLIC_URL = "https://platform.test";
const ISSUER = "https://keys.example";

let store: TestStore;
let authenticator: Authenticator;

beforeAll(async () => {
  store = await TestStore.open();
  authenticator = createAuthenticator({ ...store, ownKeys: async () => ({ keys: [] }) });
});
afterAll(() => store.database.close());
afterEach(() => {
  vi.restoreAllMocks();
});

const newKey = () => generateKeyPair("ES256");
const publicKeys = (pairs: readonly CryptoKeyPair[]): Promise<JWK[]> =>
  Promise.all(
    pairs.map(async ({ publicKey }, index) =>
      Object.assign(await exportJWK(publicKey), { kid: `key ${index}` }),
    ),
  );

/** Creates an organization with an identity for tokens of `subject` signed by one of the keys; returns its uid. */
async function register(name: string, subject: string, keys: readonly JWK[]): Promise<string> {
  const { uid, owner } = await store.organization(name);
  const staticKeys = { issuer: ISSUER, subject, issuerKeys: JSON.stringify({ keys }) };
  const made = await store.call(owner, "identities.create", {
    parent: uid,
    body: { name: "bot", staticKeys },
  });
  return made["uid"];
}

const tokenOf = ({ privateKey }: CryptoKeyPair, subject: string, kid: string | null = null) =>
  signed(privateKey, { iss: ISSUER, aud: PUBLIC_URL, sub: subject }, { kid });

/** Returns the result of authentication, and how many signatures it verified. */
async function asked(token: string): Promise<{ verified: number; identities: readonly string[] | string }> {
  const verify = vi.spyOn(crypto.subtle, "verify");
  const identities = await authenticator.authenticate(token).then(
    (caller) => caller.identities,
    (error: Error) => error.name,
  );
  const verified = verify.mock.calls.length;
  vi.restoreAllMocks();
  return { verified, identities };
}

test("a token that nobody signed costs few signatures however many keys others have registered, and once only", async () => {
  const stranger = await newKey();
  for (let more = 0; more < 6; more++) {
    const pairs = await Promise.all(Array.from({ length: 20 }, newKey));
    await register(`crowd ${more}`, "crowded", await publicKeys(pairs));
  }
  const unnamed = await tokenOf(stranger, "crowded");
  expect(await asked(unnamed)).toEqual({ verified: 8, identities: "UNAUTHENTICATED" });
  expect(await asked(unnamed)).toEqual({ verified: 0, identities: "UNAUTHENTICATED" });
  expect(await asked(await tokenOf(stranger, "crowded", "key 3"))).toMatchObject({ verified: 6 });
  expect(await asked(await tokenOf(stranger, "crowded", "no such key"))).toMatchObject({ verified: 0 });

  // Organizations take turns: another one's key is not crowded out, and counts as soon as it exists.
  const late = await newKey();
  const token = await tokenOf(late, "crowded");
  expect((await asked(token)).identities).toBe("UNAUTHENTICATED");
  const uid = await register("late", "crowded", await publicKeys([late]));
  const first = await asked(token);
  expect(first.identities).toEqual([uid]);
  expect(first.verified).toBeLessThanOrEqual(7);
  expect(await asked(token)).toEqual({ verified: 0, identities: [uid] });
});

test("tokens whose signature does not fit load no definition of any identity, and their keys once", async () => {
  await register("twins", "twin", await publicKeys([await newKey()]));
  const query = vi.spyOn(store.database, "query");
  await expect(authenticator.authenticate(await tokenOf(await newKey(), "twin"))).rejects.toThrow(
    "not trusted",
  );
  expect(query.mock.calls.filter(([sql]) => sql.includes("definition"))).toEqual([]);
  await expect(authenticator.authenticate(await tokenOf(await newKey(), "twin"))).rejects.toThrow(
    "not trusted",
  );
  expect(query.mock.calls.filter(([sql]) => sql.includes("from static_keys"))).toHaveLength(1);
});

test("a key that is taken back signs nothing from then on", async () => {
  const pair = await newKey();
  const { uid, owner } = await store.organization("taken back");
  const staticKeys = {
    issuer: ISSUER,
    subject: "back",
    issuerKeys: JSON.stringify({ keys: await publicKeys([pair]) }),
  };
  const { uid: bot } = await store.call(owner, "identities.create", {
    parent: uid,
    body: { name: "bot", staticKeys },
  });
  const token = await tokenOf(pair, "back");
  expect((await asked(token)).identities).toEqual([bot]);
  const issuerKeys = JSON.stringify({ keys: await publicKeys([await newKey()]) });
  await store.call(owner, "identities.update", { uid: bot, body: { staticKeys: { issuerKeys } } });
  expect((await asked(token)).identities).toBe("UNAUTHENTICATED");
});
