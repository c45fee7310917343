import { exportJWK, generateKeyPair } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Caller } from "../../platform/access/caller";
import { TestStore } from "../../testing/store";

let store: TestStore;
let uid: string;
let owner: Caller;
let publicKey: object;
const claimMatch = { issuer: "https://ci.example", subject: "repo:a" };

beforeAll(async () => {
  store = await TestStore.open({ TRUSTED_ISSUERS: "https://ci.example" });
  ({ uid, owner } = await store.organization("limits"));
  publicKey = await exportJWK((await generateKeyPair("ES256")).publicKey);
});
afterAll(() => store.database.close());

const create = (body: Record<string, unknown>) =>
  store.call(owner, "identities.create", { parent: uid, body });
const refused = async (body: Record<string, unknown>) =>
  (await store.refusal(owner, "identities.create", { parent: uid, body })).violations;
const jwks = (...keys: unknown[]) => JSON.stringify({ keys });

describe("what tokens are compared with has limits", () => {
  const rsa = (bytes: number, more: object = {}) => ({
    kty: "RSA",
    n: Buffer.alloc(bytes, 0xab).toString("base64url"),
    e: "AQAB",
    ...more,
  });
  const registered = (...keys: unknown[]) =>
    refused({
      name: "bot",
      staticKeys: { issuer: "https://big.example", subject: "s", issuerKeys: jwks(...keys) },
    });

  test("RSA keys of 4,096 bits with exponents of 32, each key once", async () => {
    const issue = async (...keys: unknown[]) => (await registered(...keys))[0]?.description;
    expect(await issue(rsa(513))).toBe("key 0 has more than 4096 bits");
    expect(await issue(rsa(256), rsa(256, { e: Buffer.alloc(5, 1).toString("base64url") }))).toBe(
      "key 1 has an exponent of more than 32 bits",
    );
    expect(await issue(publicKey, { ...publicKey, kid: "other" })).toBe("key 1 appears twice");
    expect(await issue({ ...publicKey, kid: "\0" })).toBe(
      "key 0 has a kid that is not text of at most 200 bytes",
    );
    await create({
      name: "bot",
      staticKeys: {
        issuer: "https://big.example",
        subject: "s",
        issuerKeys: jwks(rsa(512, { e: "_____w" }), publicKey),
      },
    });
  });

  test("conditions of 8,000 bytes", async () => {
    const claims = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`c${index}`, "x".repeat(900)]),
    );
    expect(await refused({ name: "bot", claimMatch: { ...claimMatch, claims } })).toEqual([
      { field: "claimMatch", description: "must be at most 8000 bytes long" },
    ]);
  });

  test("ten identities of an organization for one issuer and subject, however they are recognised", async () => {
    const { uid: alone, owner: founder } = await store.organization("alike");
    const { uid: below } = await store.call(founder, "groups.create", {
      parent: alone,
      body: { name: "low" },
    });
    const pair = { issuer: "https://ci.example", subject: "alike" };
    const made: string[] = [];
    for (const [index, parent] of Array.from(
      { length: 10 },
      (_, at) => [at, at % 2 ? alone : below] as const,
    )) {
      const staticKeys = { ...pair, issuerKeys: jwks(publicKey) };
      const body = { name: "bot", ...(index % 3 ? { claimMatch: pair } : { staticKeys }) };
      made.push((await store.call(founder, "identities.create", { parent, body }))["uid"]);
    }
    const more = { parent: below, body: { name: "bot", claimMatch: pair } };
    expect((await store.refusal(founder, "identities.create", more)).violations).toEqual([
      {
        field: "claimMatch.issuer",
        description: "at most 10 identities of an organization can have this issuer and subject",
      },
    ]);
    await store.call(founder, "identities.update", {
      uid: made[1] ?? "",
      body: { claimMatch: { ...pair, audience: "x" } },
    });
    await create({ name: "bot", claimMatch: pair });
  });
});
