import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from "jose";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";

import { builtInRoleUid } from "../../domains/access/roles.table";
import { personUid, uidOf } from "../store/uids";
import { signed, startIssuer, type TestIssuer } from "../../testing/issuer";
import { TestStore } from "../../testing/store";
import { createAuthenticator, type Authenticator } from "./authenticate";
import { holds, type Caller } from "./caller";
import { ruleOf } from "./exchanged";

const PUBLIC_URL = "https://platform.test";
const OWN = `${PUBLIC_URL}/oidc`;

let store: TestStore;
let issuer: TestIssuer;
let authenticator: Authenticator;
let keys: CryptoKeyPair;
let uid: string;
let owner: Caller;

beforeAll(async () => {
  issuer = await startIssuer();
  store = await TestStore.open({ TRUSTED_ISSUERS: `${issuer.url},http://127.0.0.1:9` });
  keys = await generateKeyPair("ES256");
  authenticator = createAuthenticator({ ...store, ownKeys });
  ({ uid, owner } = await store.organization("authenticated"));
});
afterAll(async () => {
  await store.database.close();
  await issuer.stop();
});
afterEach(() => {
  vi.useRealTimers();
});

const ownKeys = async () => ({
  keys: [{ ...(await exportJWK(keys.publicKey)), kid: "test", alg: "ES256" }],
});

const own = (claims: JWTPayload, options: Parameters<typeof signed>[2] = {}) =>
  signed(keys.privateKey, { iss: OWN, aud: PUBLIC_URL, ...claims }, { typ: "at+jwt", ...options });

const refusal = (token: string | undefined): Promise<string> =>
  authenticator.authenticate(token).then(
    () => "accepted",
    (error: Error) => `${error.name}: ${error.message}`,
  );

const bind = (identityUid: string, parent: string) =>
  store.call(owner, "roleBindings.create", {
    parent,
    body: { identityUid, roleUid: builtInRoleUid("viewer") },
  });
const identity = async (body: Record<string, unknown>, parent = uid): Promise<string> => {
  const made = await store.call(owner, "identities.create", { parent, body: { name: "bot", ...body } });
  await bind(made["uid"], parent);
  return made["uid"];
};
const fitting = async (token: string) => (await authenticator.authenticate(token)).identities;
const machine = (claims: JWTPayload) => issuer.sign({ aud: PUBLIC_URL, ...claims });

test("a token of our own is its person, recorded at the first sign-in with what the token says", async () => {
  const caller = await authenticator.authenticate(
    await own({ sub: "p1", email: "Ada.L@x.example", name: "Ada Lövelace" }),
  );
  const person = personUid(OWN, "p1");
  expect(caller).toMatchObject({ issuer: OWN, subject: "p1", identities: [person], grants: [] });
  expect(await store.call(caller, "identities.get", { uid: person })).toMatchObject({
    name: "Ada Lövelace",
    emailUnverified: "Ada.L@x.example",
    lastSeenTime: expect.any(String),
  });
  await authenticator.authenticate(await own({ sub: "p1", email: "new@x.example" }));
  expect(await store.call(caller, "identities.get", { uid: person })).toMatchObject({
    name: "new",
    emailUnverified: "new@x.example",
  });
});

test("what is no valid token of ours is refused", async () => {
  const stranger = await generateKeyPair("ES256");
  const past = new Date(Date.now() - 3600_000);
  const secret = new TextEncoder().encode("x".repeat(32));
  const claims = { iss: OWN, aud: PUBLIC_URL, sub: "p", exp: 9_999_999_999 };
  expect(await refusal(undefined)).toBe("UNAUTHENTICATED: a bearer token is required");
  expect(await refusal("x.y.z")).toBe("UNAUTHENTICATED: the token is not a JWT with issuer and subject");
  expect(await refusal(await own({ sub: "p" }, { issuedAt: past }))).toBe(
    "UNAUTHENTICATED: the token has expired",
  );
  expect(await refusal(await own({ sub: "p", aud: "console" }))).toBe(
    "UNAUTHENTICATED: the token is not meant for this service",
  );
  const bad = [
    own({ sub: "p" }, { typ: "JWT" }),
    signed(stranger.privateKey, claims, { typ: "at+jwt" }),
    new SignJWT(claims).setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid: "test" }).sign(secret),
    new UnsecuredJWT(claims).encode(),
    new SignJWT({ iss: OWN, aud: PUBLIC_URL, sub: "p" })
      .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: "test" })
      .sign(keys.privateKey),
  ];
  for (const token of bad) expect(await refusal(await token)).toBe("UNAUTHENTICATED: the token is not valid");
});

test("an issuer that is not trusted is refused, one that cannot be reached is unavailable", async () => {
  const from = (iss: string) => signed(keys.privateKey, { iss, sub: "s", aud: PUBLIC_URL });
  expect(await refusal(await from("https://unknown.example"))).toBe(
    "UNAUTHENTICATED: the token's issuer is not trusted",
  );
  expect(await refusal(await from("http://127.0.0.1:9"))).toMatch(/^UNAVAILABLE: .*http:\/\/127.0.0.1:9/);
});

test("a token of a trusted issuer is every identity that it fits, exactly or by pattern", async () => {
  const exact = await identity({ claimMatch: { issuer: issuer.url, subject: "repo:a:main" } });
  const pattern = await identity({ claimMatch: { issuer: issuer.url, subjectPattern: "repo:a:.*" } });
  const issuers = await identity({
    claimMatch: { issuerPattern: "http://127\\.0\\.0\\.1:\\d+", subjectPattern: ".*main" },
  });
  await identity({ claimMatch: { issuer: issuer.url, subjectPattern: "repo:a" } });
  await identity({ claimMatch: { issuer: `${issuer.url}/`, subject: "repo:a:main" } });
  const caller = await authenticator.authenticate(await machine({ sub: "repo:a:main" }));
  expect(caller.identities.toSorted()).toEqual([exact, pattern, issuers].toSorted());
  expect(holds(caller, "CAP_IAM_GROUPS_LIST", uid)).toBe(true);
  expect(await fitting(await machine({ sub: "xrepo:a:mainx" }))).toEqual([]);
});

test("a token must be meant for us, or for whom the identity says", async () => {
  const audience = await identity({
    claimMatch: { issuer: issuer.url, subject: "aud", audience: "cluster" },
  });
  const pattern = await identity({
    claimMatch: { issuer: issuer.url, subject: "aud", audiencePattern: "eu-.*" },
  });
  const plain = await identity({ claimMatch: { issuer: issuer.url, subject: "aud" } });
  const token = (aud: string | string[]) => issuer.sign({ sub: "aud", aud });
  expect(await fitting(await token("cluster"))).toEqual([audience]);
  expect(await fitting(await token(["eu-1", "x"]))).toEqual([pattern]);
  expect(await fitting(await token(PUBLIC_URL))).toEqual([plain]);
  expect(await refusal(await token("elsewhere"))).toBe(
    "UNAUTHENTICATED: the token is not meant for this service",
  );
});

test("a valid token that fits nobody is a caller that holds nothing", async () => {
  const caller = await authenticator.authenticate(await machine({ sub: "nobody" }));
  expect(caller).toMatchObject({ issuer: issuer.url, subject: "nobody", identities: [], grants: [] });
});

test("a change of an identity counts from the next request on, also when its result was kept", async () => {
  const made = await identity({ claimMatch: { issuer: issuer.url, subjectPattern: "kept:.*" } });
  const token = await machine({ sub: "kept:1" });
  expect(await fitting(token)).toEqual([made]);
  await store.call(owner, "identities.update", {
    uid: made,
    body: { claimMatch: { subjectPattern: "moved:.*" } },
  });
  expect(await fitting(token)).toEqual([]);
  await store.call(owner, "identities.update", {
    uid: made,
    body: { claimMatch: { subjectPattern: "kept:1" } },
  });
  expect(await fitting(token)).toEqual([made]);
  await store.call(owner, "identities.delete", { uid: made });
  expect(await fitting(token)).toEqual([]);
});

test("a binding counts inside the identity's own group alone, a person's anywhere", async () => {
  const folder = (await store.call(owner, "groups.create", { parent: uid, body: { name: "folder" } }))["uid"];
  const low = await identity({ claimMatch: { issuer: issuer.url, subject: "low" } }, folder);
  await bind(low, uid);
  const caller = await authenticator.authenticate(await machine({ sub: "low" }));
  expect(holds(caller, "CAP_IAM_GROUPS_LIST", folder)).toBe(true);
  expect(holds(caller, "CAP_IAM_GROUPS_LIST", `${folder}/${"1".repeat(16)}`)).toBe(true);
  expect(holds(caller, "CAP_IAM_GROUPS_LIST", uid)).toBe(false);
  expect(holds(caller, "CAP_IAM_GROUPS_LIST", `${folder}0`)).toBe(false);
});

test("nobody of this service is matched by claims, not even by an identity of an older version", async () => {
  const { uid: other, owner: stranger } = await store.organization("twins");
  const claimMatch = { issuer: issuer.url, subject: owner.subject };
  const { uid: twin } = await store.call(stranger, "identities.create", {
    parent: other,
    body: { name: "twin", claimMatch },
  });
  await store.database.query(
    "update identities set definition = jsonb_set(definition, '{issuer}', $2), issuer = $3 where uid = $1",
    [twin, JSON.stringify(OWN), OWN],
  );
  const caller = await authenticator.authenticate(await own({ sub: owner.subject }));
  expect(caller.identities).toEqual([owner.identities[0]]);
});

test("registered keys are for their identity alone, in their time, and not for our own issuer", async () => {
  const pair = await generateKeyPair("ES256");
  const issuerKeys = JSON.stringify({ keys: [await exportJWK(pair.publicKey)] });
  const make = (iss: string) => identity({ staticKeys: { issuer: iss, subject: "s", issuerKeys } });
  const made = await make("https://keys.example");
  const token = (claims: JWTPayload) => signed(pair.privateKey, { sub: "s", aud: PUBLIC_URL, ...claims });
  const caller = await authenticator.authenticate(await token({ iss: "https://keys.example" }));
  expect(caller.identities).toEqual([made]);
  expect(caller.key).toBe(uidOf(made));
  for (const wrong of [{ sub: "t" }, { aud: "elsewhere" }, { iss: "https://other.example" }])
    expect(await refusal(await token({ iss: "https://keys.example", ...wrong }))).toMatch(/^UNAUTHENTICATED/);

  // Naming a trusted issuer does not make a tenant's key the issuer's.
  const claimed = await identity({ claimMatch: { issuer: issuer.url, subject: "s" } });
  const under = await make(issuer.url);
  expect(await fitting(await token({ iss: issuer.url }))).toEqual([under]);
  expect(await fitting(await machine({ sub: "s" }))).toEqual([claimed]);
  await store.database.query(
    "update identities set definition = jsonb_set(definition, '{issuer}', $2), issuer = $3 where uid = $1",
    [under, JSON.stringify(OWN), OWN],
  );
  expect(await refusal(await token({ iss: OWN }))).toBe("UNAUTHENTICATED: the token is not valid");

  await store.database.query(
    `update identities set definition = jsonb_set(definition, '{expirationTime}', '"2020-01-01T00:00:00.000Z"') where uid = $1`,
    [made],
  );
  expect(await refusal(await token({ iss: "https://keys.example" }))).toMatch(/^UNAUTHENTICATED/);
});

test("a token from an exchange ends with the trust in its issuer; that of a registered key needs none", async () => {
  const { publicKey } = await generateKeyPair("ES256");
  const issuerKeys = JSON.stringify({ keys: [await exportJWK(publicKey)] });
  const byClaims = await identity({ claimMatch: { issuer: issuer.url, subject: "exchanged" } });
  const byKey = await identity({
    staticKeys: { issuer: "https://keys.example", subject: "exchanged", issuerKeys },
  });
  const token = async (made: string, from: string) => {
    const [row] = await store.database.query<{ relationship: string; definition: string }>(
      "select relationship, definition::text as definition from identities where uid = $1",
      [made],
    );
    const exchanged = { identity: made, rule: ruleOf(row!), issuer: from, subject: "exchanged" };
    return own({ sub: made, exchanged });
  };
  const [claimed, keyed] = [await token(byClaims, issuer.url), await token(byKey, "https://keys.example")];
  const strict = createAuthenticator({
    ...store,
    config: { ...store.config, trustedIssuers: ["http://127.0.0.1:9"] },
    ownKeys,
  });
  for (const made of [claimed, keyed])
    expect(await authenticator.authenticate(made)).toMatchObject({ exchanged: "whole" });
  expect(await strict.authenticate(keyed)).toMatchObject({ identities: [byKey] });
  await expect(strict.authenticate(claimed)).rejects.toThrow("the identity of this token has changed");
});

test("lastSeenTime is written at the first use and then every five minutes, and is no change", async () => {
  const made = await identity({ claimMatch: { issuer: issuer.url, subject: "seen" } });
  const read = async () => store.call(owner, "identities.get", { uid: made });
  const { createTime, updateTime } = await read();
  const start = Date.parse(createTime);
  const token = await issuer.sign({ sub: "seen", aud: PUBLIC_URL }, { seconds: 3600 });
  const seenAfter = async (seconds: number) => {
    vi.useFakeTimers({ now: start + seconds * 1000, toFake: ["Date"] });
    await authenticator.authenticate(token);
    return (Date.parse((await read())["lastSeenTime"]) - start) / 1000;
  };
  expect(await seenAfter(10)).toBe(10);
  expect(await seenAfter(200)).toBe(10);
  expect(await seenAfter(320)).toBe(320);
  expect(await read()).toMatchObject({ createTime, updateTime });
});
