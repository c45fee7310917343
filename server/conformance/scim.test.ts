import { afterAll, beforeAll, expect, test } from "vitest";

import { errorInfo } from "platform-contract/status";

import { GrpcClient } from "../testing/grpc";
import { openDirectory, patchOf, TestDirectory, userBody } from "../testing/scim";
import { BODIES } from "./samples";
import { AttackFixture } from "./attack-fixture";
import { fieldsOf, type Person, type Wire, type World } from "./world";

let cast: AttackFixture;
let world: World;
let owner: Person;
let folder: string;

beforeAll(async () => {
  cast = await AttackFixture.open();
  ({ world, owner, folder } = cast);
});
afterAll(() => world.service.stop());

const newProvider = () =>
  world.create(owner, "identityProviders", folder, BODIES["identityProviders"]!(world, owner, folder));
const send = (verb: string, uid: string, body: Wire = {}, by = owner) =>
  world.send(by.token, `identityProviders.${verb}`, { uid, body });
const make = (verb: string, uid: string, body: Wire = {}) =>
  world.make(owner, `identityProviders.${verb}`, { uid, body });
const statusOf = async (uid: string): Promise<Wire> =>
  (await world.make(owner, "identityProviders.get", { uid }))["scim"];
const DAY = 86_400_000;
const ahead = (time: string): number => (Date.parse(time) - Date.now()) / DAY;
const works = async (base: string, token: string): Promise<number> =>
  (await new TestDirectory(base, token).call("GET", "/Users?count=0")).status;

test("the life of a token: issued once, replaced with an overlap, expired, revoked", async () => {
  const uid = await newProvider();
  const endpointUrl = `${world.service.url}/scim/v2/${uid}`;
  expect(await statusOf(uid)).toEqual({
    endpointUrl,
    credentialState: "CREDENTIAL_STATE_NOT_ISSUED",
    etag: "0",
  });
  expect((await send("regenerateScimToken", uid, { etag: "0" })).status).toBe(404);

  const first = await make("generateScimToken", uid);
  expect(first).toMatchObject({ endpointUrl, identityProviderUid: uid, etag: "1" });
  expect(first["token"]).toMatch(/^cgscim_[0-9a-f]{64}$/);
  expect(ahead(first["expireTime"])).toBeCloseTo(365, 1);
  expect(await statusOf(uid)).toEqual({
    endpointUrl,
    tokenExpireTime: first["expireTime"],
    credentialState: "CREDENTIAL_STATE_LIVE",
    etag: "1",
  });
  const again = await send("generateScimToken", uid);
  expect(errorInfo(again.json)?.reason).toBe("FAILED_PRECONDITION");
  // Off until it is turned on.
  expect(await works(endpointUrl, first["token"])).toBe(403);

  const second = await make("regenerateScimToken", uid, { etag: "1", overlap: "60s", neverExpires: true });
  expect(second).toMatchObject({ etag: "2", requestedOverlap: "60s" });
  expect(second).not.toHaveProperty("expireTime");
  expect(ahead(second["previousTokenExpireTime"]) * 1440).toBeCloseTo(1, 1);
  expect(await statusOf(uid)).toMatchObject({
    credentialState: "CREDENTIAL_STATE_ROTATING",
    previousTokenExpireTime: second["previousTokenExpireTime"],
  });
  expect([await works(endpointUrl, first["token"]), await works(endpointUrl, second["token"])]).toEqual([
    403, 403,
  ]);
  // A list says less.
  const { identityProviders } = await world.make(owner, "identityProviders.list", {
    query: { "uidp.ids": uid },
  });
  expect(identityProviders[0].scim).toEqual({
    endpointUrl,
    previousTokenExpireTime: second["previousTokenExpireTime"],
    etag: "2",
  });

  const third = await make("regenerateScimToken", uid, { etag: "2", overlap: "0s" });
  expect(third).toMatchObject({ requestedOverlap: "0s" });
  expect(third).not.toHaveProperty("previousTokenExpireTime");
  expect([await works(endpointUrl, second["token"]), await works(endpointUrl, third["token"])]).toEqual([
    401, 403,
  ]);
  expect((await statusOf(uid))["credentialState"]).toBe("CREDENTIAL_STATE_LIVE");

  await world.service.database.query(
    "update scim_settings set expires_at = now() - interval '1 second' where uid = $1",
    [uid],
  );
  expect((await statusOf(uid))["credentialState"]).toBe("CREDENTIAL_STATE_EXPIRED");
  expect(await works(endpointUrl, third["token"])).toBe(401);

  const fourth = await make("regenerateScimToken", uid, { etag: "3" });
  const revoked = await make("revokeScimToken", uid);
  expect(revoked).toMatchObject({ identityProviderUid: uid, etag: "5" });
  expect(revoked).not.toHaveProperty("enabled");
  expect((await statusOf(uid))["credentialState"]).toBe("CREDENTIAL_STATE_REVOKED");
  expect(await works(endpointUrl, fourth["token"])).toBe(401);
  // Idempotent, and the time stays.
  expect((await make("revokeScimToken", uid))["revokeTime"]).toBe(revoked["revokeTime"]);
});

test("expiry and overlap have limits, and an etag of before is refused", async () => {
  const uid = await newProvider();
  const refused = async (verb: string, body: Wire) => fieldsOf(await send(verb, uid, body));
  const inYears = (years: number) => new Date(Date.now() + years * 365 * DAY + 60_000).toISOString();
  expect(await refused("generateScimToken", { expireTime: inYears(2) })).toEqual(["expireTime"]);
  expect(await refused("generateScimToken", { expireTime: "2020-01-01T00:00:00Z" })).toEqual(["expireTime"]);
  expect(await refused("generateScimToken", { expireTime: inYears(1), neverExpires: true })).toEqual([
    "expireTime",
  ]);
  const expireTime = inYears(1);
  expect((await make("generateScimToken", uid, { expireTime }))["expireTime"]).toBe(expireTime);
  expect(await refused("regenerateScimToken", {})).toEqual(["etag"]);
  expect(await refused("regenerateScimToken", { etag: "1", overlap: "86401s" })).toEqual(["overlap"]);
  for (const [verb, body] of [
    ["regenerateScimToken", { etag: "0" }],
    ["setScimEnabled", { etag: "0", enabled: false }],
  ] as const)
    expect(errorInfo((await send(verb, uid, body)).json)?.reason).toBe("ABORTED");
  expect((await statusOf(uid))["etag"]).toBe("1");
});

test("SCIM is turned on only with two owners whom no mapping made", async () => {
  const uid = await newProvider();
  const { etag } = await make("generateScimToken", uid);
  const enable = (by?: Person) => send("setScimEnabled", uid, { enabled: true, etag }, by);
  expect(errorInfo((await enable()).json)?.reason).toBe("FAILED_PRECONDITION");
  const other = await world.person("second owner");
  await world.bind(owner, cast.organization, other.uid, "owner");
  expect((await enable()).json).toMatchObject({ identityProviderUid: uid, enabled: true, etag: "2" });
  expect((await statusOf(uid))["enabled"]).toBe(true);
  const offAgain = await make("setScimEnabled", uid, { enabled: false, etag: "2" });
  expect(offAgain).not.toHaveProperty("enabled");
});

test("a token is stored only as a hash, and no entry, event or other answer has it", async () => {
  const uid = await newProvider();
  const { token, etag } = await make("generateScimToken", uid);
  const next = await make("regenerateScimToken", uid, { etag });
  const tables = await world.service.database.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = current_schema()",
  );
  for (const secret of [token, next["token"]])
    for (const { name } of tables) {
      const rows = await world.service.database.query(
        `select 1 from ${name} t where to_jsonb(t)::text like $1`,
        [`%${secret.slice(7)}%`],
      );
      expect([name, rows]).toEqual([name, []]);
    }
  const { auditEntries } = await world.make(owner, "auditEntries.list", { query: { record: uid } });
  expect((auditEntries as Wire[]).map(({ action }) => action).toSorted()).toEqual([
    "identityProviders.create",
    "identityProviders.generateScimToken",
    "identityProviders.regenerateScimToken",
  ]);
});

test("an entry of each operation tells what it changed, and never a token", async () => {
  const uid = await newProvider();
  const first = await make("generateScimToken", uid, { neverExpires: true });
  const second = await make("regenerateScimToken", uid, { etag: first["etag"], overlap: "60s" });
  await make("setScimEnabled", uid, { etag: second["etag"], enabled: true });
  await make("revokeScimToken", uid);
  await make("revokeScimToken", uid);
  const { auditEntries } = await world.make(owner, "auditEntries.list", { query: { record: uid } });
  const told = Object.fromEntries(
    (auditEntries as Wire[]).map(({ action, changes = [] }) => [
      String(action).replace("identityProviders.", ""),
      Object.fromEntries(
        (changes as Wire[]).map(({ field, before, after }) => [field, [before, after]] as const),
      ),
    ]),
  );
  const state = (name: string) => `"CREDENTIAL_STATE_${name}"`;
  expect(told).toMatchObject({
    generateScimToken: {
      "scim.credentialState": [state("NOT_ISSUED"), state("LIVE")],
      "scim.tokenExpireTime": [undefined, '"never"'],
      "scim.etag": ['"0"', '"1"'],
    },
    regenerateScimToken: {
      "scim.credentialState": [state("LIVE"), state("ROTATING")],
      "scim.tokenExpireTime": ['"never"', `"${second["expireTime"]}"`],
      "scim.previousTokenExpireTime": [undefined, `"${second["previousTokenExpireTime"]}"`],
    },
    setScimEnabled: { "scim.enabled": ["false", "true"] },
    revokeScimToken: {
      "scim.credentialState": [state("ROTATING"), state("REVOKED")],
      "scim.tokenExpireTime": [`"${second["expireTime"]}"`, undefined],
    },
  });
  expect(auditEntries).toHaveLength(5);
  expect(JSON.stringify(auditEntries)).not.toContain("cgscim_");
});

test("over gRPC the four operations are the same", async () => {
  const uid = await newProvider();
  const grpc = new GrpcClient(world.service.url);
  const call = async (rpc: string, body: Wire) =>
    (
      await grpc.call(
        `iam.v2.IdentityProvidersService/${rpc}`,
        { identityProviderUid: uid, ...body },
        { token: owner.token },
      )
    ).message;
  try {
    const first = await call("GenerateScimToken", {});
    expect(first["token"]).toMatch(/^cgscim_[0-9a-f]{64}$/);
    const second = await call("RegenerateScimToken", { etag: first["etag"], overlap: { seconds: "60" } });
    expect(second["requestedOverlap"]).toMatchObject({ seconds: "60" });
    expect(await call("SetScimEnabled", { enabled: true, etag: second["etag"] })).toMatchObject({
      enabled: true,
      identityProviderUid: uid,
    });
    expect(await works(`${world.service.url}/scim/v2/${uid}`, second["token"])).toBe(200);
    expect((await call("RevokeScimToken", {}))["revokeTime"]).toBeTruthy();
    expect(await works(`${world.service.url}/scim/v2/${uid}`, second["token"])).toBe(401);
    await expect(call("SetScimEnabled", { enabled: false, etag: "0" })).rejects.toMatchObject({ code: 10 });
  } finally {
    grpc.close();
  }
});

test("a directory that is full is told so, and can still change what it has", async () => {
  const uid = await newProvider();
  const directory = await openDirectory(world, owner, uid);
  const user = await directory.make("POST", "/Users", userBody("last"));
  await world.service.database.query(
    `insert into scim_users (id, provider, user_name, active, resource, created_at, updated_at)
     select gen_random_uuid(), $1, 'filler ' || n, true, '{}', now(), now() from generate_series(2, 20000) as n`,
    [uid],
  );
  const more = await directory.call("POST", "/Users", userBody("one too many"));
  expect([more.status, more.json]).toMatchObject([
    403,
    { status: "403", detail: "this identity provider has 20000 users, the most that it can have" },
  ]);
  const gone = patchOf({ op: "replace", value: { active: false } });
  expect((await directory.call("PATCH", `/Users/${user["id"]}`, gone)).status).toBe(200);
  expect((await directory.call("DELETE", `/Users/${user["id"]}`)).status).toBe(204);
  expect((await directory.call("POST", "/Users", userBody("in time"))).status).toBe(201);
});

test("a token whose answer was lost is replaced: nobody has it, and it ends at once", async () => {
  const uid = await newProvider();
  const base = `${world.service.url}/scim/v2/${uid}`;
  const { token: lost } = await make("generateScimToken", uid);
  // What a caller without the answer does: the same again says what is there, and the record has the etag.
  expect(errorInfo((await send("generateScimToken", uid)).json)?.reason).toBe("FAILED_PRECONDITION");
  const { credentialState, etag } = await statusOf(uid);
  expect(credentialState).toBe("CREDENTIAL_STATE_LIVE");
  const next = await make("regenerateScimToken", uid, { etag, overlap: "0s" });
  expect(next).not.toHaveProperty("previousTokenExpireTime");
  expect([await works(base, lost), await works(base, next["token"])]).toEqual([401, 403]);
});

test("what was pushed is counted, and its groups are suggested", async () => {
  const uid = await newProvider();
  const directory = await openDirectory(world, owner, uid);
  const pushed = async (search?: string) =>
    world.make(owner, "identityProviders.getPushed", { uid, ...(search && { query: { search } }) });
  expect(await pushed()).not.toHaveProperty("pushTime");
  const { id } = await directory.make("POST", "/Users", userBody("ann"));
  await directory.make("POST", "/Users", userBody("bob", { active: false }));
  await directory.make("POST", "/Groups", {
    displayName: "Engineers",
    externalId: "e-1",
    members: [{ value: id }],
  });
  await directory.make("POST", "/Groups", { displayName: "Auditors" });
  const all = await pushed();
  expect(all).toMatchObject({ userCount: 2, activeUserCount: 1, groupCount: 2 });
  expect(Math.abs(ahead(all["pushTime"]))).toBeLessThan(0.01);
  expect(all["groups"]).toEqual([
    { externalGroupId: "Auditors", name: "Auditors" },
    { externalGroupId: "e-1", name: "Engineers", memberCount: 1 },
  ]);
  expect((await pushed("ENG"))["groups"]).toHaveLength(1);
});

test("a provider with a directory can be deleted, and its people are left without its roles", async () => {
  const uid = await newProvider();
  const directory = await openDirectory(world, owner, uid);
  await directory.make("POST", "/Users", userBody("cleo"));
  await world.make(owner, "identityProviders.delete", { uid });
  expect((await directory.call("GET", "/Users")).status).toBe(401);
});
