import { exportJWK, generateKeyPair } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Caller } from "../../platform/access/caller";
import { personUid } from "../../platform/store/uids";
import { TestStore } from "../../testing/store";

let store: TestStore;
let uid: string;
let owner: Caller;
let publicKey: object;
let privateKey: object;
const claimMatch = { issuer: "https://ci.example", subject: "repo:a" };
const ISSUER = "https://platform.test/oidc";

beforeAll(async () => {
  store = await TestStore.open({ TRUSTED_ISSUERS: "https://ci.example,https://other.example" });
  ({ uid, owner } = await store.organization("identities"));
  const pair = await generateKeyPair("ES256", { extractable: true });
  publicKey = { ...(await exportJWK(pair.publicKey)), kid: "k" };
  privateKey = await exportJWK(pair.privateKey);
});
afterAll(() => store.database.close());

const create = (body: Record<string, unknown>) =>
  store.call(owner, "identities.create", { parent: uid, body });
const refused = async (body: Record<string, unknown>) =>
  (await store.refusal(owner, "identities.create", { parent: uid, body })).violations;
const jwks = (...keys: unknown[]) => JSON.stringify({ keys });

test("the error sample: a bad or missing name", async () => {
  for (const name of ["Bad Name!", undefined]) {
    const { message, violations } = await store.refusal(owner, "identities.create", {
      parent: uid,
      body: { name, claimMatch },
    });
    expect(message).toBe('Invalid argument: name: must match "^[a-z0-9 ._-]{1,}$"');
    expect(violations).toEqual([{ field: "name", description: 'must match "^[a-z0-9 ._-]{1,}$"' }]);
  }
});

test("an identity comes back as it was made, seen since its creation", async () => {
  const made = await create({
    name: "bot",
    claimMatch: { ...claimMatch, claims: { env: "" }, audience: "" },
    uid: "x",
  });
  expect(made).toEqual({
    uid: expect.stringMatching(new RegExp(`^${uid}/[0-9a-f]{16}$`)),
    name: "bot",
    claimMatch: { ...claimMatch, claims: { env: "" } },
    createTime: made["lastSeenTime"],
    updateTime: made["lastSeenTime"],
    lastSeenTime: expect.any(String),
  });
  expect(await store.call(owner, "identities.get", { uid: made["uid"] })).toEqual(made);
});

test("exactly one way to be recognised, and within it one of each pair", async () => {
  expect(await refused({ name: "bot" })).toEqual([
    {
      field: "claimMatch",
      description: "one of claimMatch, staticKeys, awsIdentity, servicePrincipal is required",
    },
  ]);
  const both = { name: "bot", claimMatch, servicePrincipal: "SERVICE_PRINCIPAL_INGESTER" };
  expect((await refused(both)).map(({ description }) => description)).toEqual([
    "only one of claimMatch, staticKeys, awsIdentity, servicePrincipal can be set",
  ]);
  expect(
    (await refused({ name: "bot", claimMatch: { ...claimMatch, issuerPattern: ".*" } })).map((v) => v.field),
  ).toEqual(["claimMatch.issuerPattern"]);
  expect((await refused({ name: "bot", servicePrincipal: "SERVICE_PRINCIPAL_UNSPECIFIED" }))[0]?.field).toBe(
    "servicePrincipal",
  );
});

test("patterns are RE2, and of a bounded size", async () => {
  const found = await refused({
    name: "bot",
    claimMatch: {
      issuerPattern: "(a",
      subjectPattern: "(?=x)",
      audiencePattern: "[a-z]{1000}[a-z]{1000}",
      claimPatterns: { ref: "(x)\\1", env: "x".repeat(501) },
    },
  });
  expect(found.map(({ field }) => field)).toEqual([
    "claimMatch.issuerPattern",
    "claimMatch.subjectPattern",
    "claimMatch.audiencePattern",
    "claimMatch.claimPatterns.ref",
    "claimMatch.claimPatterns.env",
  ]);
  expect(found[0]?.description).toBe("must be a regular expression (RE2): missing closing ): `(a`");
});

test("people of this service are not matched by claims, neither by pattern nor by name", async () => {
  for (const match of [{ subjectPattern: ".*" }, { subject: "somebody" }]) {
    const found = await refused({ name: "bot", claimMatch: { issuer: ISSUER, ...match } });
    expect(found.map(({ field }) => field)).toEqual(["claimMatch.issuer"]);
  }
});

describe("static keys", () => {
  const keys = (more: object) => ({
    name: "bot",
    staticKeys: { issuer: "https://keys.example", subject: "s", issuerKeys: jwks(publicKey), ...more },
  });

  test("expire a year after creation, by default and at most", async () => {
    const before = Date.now();
    const made = await create(keys({}));
    const created = Date.parse(made["createTime"]);
    const year = 365 * 24 * 3600_000;
    const expires = Date.parse(made["staticKeys"].expirationTime);
    expect(expires).toBeGreaterThan(before + year - 1_000);
    expect(expires).toBeLessThan(Date.now() + year + 1_000);
    const soon = new Date(created + 3600_000).toISOString().replace("Z", "+00:00");
    expect((await create(keys({ expirationTime: soon })))["staticKeys"].expirationTime).toMatch(/Z$/);
    const late = keys({ expirationTime: new Date(created + year + 3600_000).toISOString() });
    expect((await refused(late))[0]?.description).toMatch(/^must be at most 365 days after creation/);
    const past = keys({ expirationTime: new Date(created - 1).toISOString() });
    expect((await refused(past))[0]).toMatchObject({ field: "staticKeys.expirationTime" });
  });

  test("an identity whose keys have expired can still be renamed", async () => {
    const { uid: expired } = await create(keys({}));
    await store.database.query(
      `update identities set definition = jsonb_set(definition, '{expirationTime}', '"2020-01-01T00:00:00.000Z"') where uid = $1`,
      [expired],
    );
    const renamed = await store.call(owner, "identities.update", { uid: expired, body: { name: "old bot" } });
    expect(renamed).toMatchObject({
      name: "old bot",
      staticKeys: { expirationTime: "2020-01-01T00:00:00.000Z" },
    });
  });

  test("are public ones, in a JWKS document", async () => {
    const symmetric = { kty: "oct", k: "c2VjcmV0" };
    for (const issuerKeys of [
      "nonsense",
      "[]",
      jwks(),
      jwks(privateKey),
      jwks(symmetric),
      jwks({ kty: "EC" }),
      "null",
    ])
      expect((await refused(keys({ issuerKeys }))).map(({ field }) => field)).toEqual([
        "staticKeys.issuerKeys",
      ]);
    expect(await refused(keys({ issuer: ISSUER }))).toEqual([
      {
        field: "staticKeys.issuer",
        description: "tokens of this service must be signed with its own keys",
      },
    ]);
  });
});

test("an update switches from one relationship to another and keeps what it does not name", async () => {
  const { uid: bot, createTime } = await create({ name: "bot", description: "d", claimMatch });
  const patched = await store.call(owner, "identities.update", {
    uid: bot,
    query: { updateMask: "service_principal" },
    body: { servicePrincipal: "SERVICE_PRINCIPAL_INGESTER", name: "IGNORED" },
  });
  expect(patched).toMatchObject({
    name: "bot",
    description: "d",
    servicePrincipal: "SERVICE_PRINCIPAL_INGESTER",
  });
  expect(patched).not.toHaveProperty("claimMatch");
  expect(Date.parse(patched["updateTime"])).toBeGreaterThan(Date.parse(createTime));
  const star = { uid: bot, query: { updateMask: "*" }, body: { name: "fresh", claimMatch } };
  expect(await store.call(owner, "identities.update", star)).not.toHaveProperty("description");
  const { violations } = await store.refusal(owner, "identities.update", {
    uid: bot,
    body: { claimMatch: null },
  });
  expect(violations.map(({ field }) => field)).toEqual(["claimMatch"]);
});

describe("people", () => {
  test("a lookup answers the uid that somebody has or will have, and lets them be bound", async () => {
    const query = { issuer: ISSUER, subject: "Not Yet@Here" };
    const found = await store.call(owner, "identities.lookupIdentity", { query });
    expect(found).toEqual({ uid: personUid(ISSUER, "Not Yet@Here") });
    await store.member("Not Yet@Here", "viewer", [uid], owner);
    expect(await store.call(owner, "identities.get", { uid: found["uid"] })).toMatchObject({
      name: "Not Yet@Here",
      claimMatch: query,
    });
    const unknown = { issuer: "https://nobody.example", subject: "s" };
    const { uid: future } = await store.call(owner, "identities.lookupIdentity", { query: unknown });
    expect(await store.database.query("select 1 from identities where uid = $1", [future])).toEqual([]);
    const { violations } = await store.refusal(owner, "identities.lookupIdentity", {
      query: { issuer: "", subject: "" },
    });
    expect(violations.map(({ field }) => field)).toEqual(["issuer", "subject"]);
  });

  test("are not recorded by those who hold nothing and can bind nobody", async () => {
    const query = { issuer: ISSUER, subject: "made up" };
    const found = await store.call(await store.person("idle"), "identities.lookupIdentity", { query });
    expect(found).toEqual({ uid: personUid(ISSUER, "made up") });
    expect(await store.database.query("select 1 from identities where uid = $1", [found["uid"]])).toEqual([]);
  });

  test("are read by themselves and where they are bound; a refusal says nothing of who exists", async () => {
    const member = await store.member("member", "viewer", [uid], owner);
    const outsider = await store.person("outsider");
    const [own = ""] = member.identities;
    expect(await store.call(owner, "identities.get", { uid: own })).toMatchObject({ uid: own });
    expect(await store.call(outsider, "identities.get", { uid: outsider.identities[0]! })).toBeDefined();
    const refusal = async (target: string) =>
      (await store.refusal(outsider, "identities.get", { uid: target })).message.replace(target, "");
    expect(await refusal(own)).toBe(await refusal("0".repeat(40)));
  });

  test("belong to no group: nobody changes or deletes them through the API, not even themselves", async () => {
    const [own = ""] = owner.identities;
    for (const operation of ["identities.update", "identities.delete"])
      expect((await store.refusal(owner, operation, { uid: own, body: { description: "me" } })).name).toBe(
        "PERMISSION_DENIED",
      );
  });
});
