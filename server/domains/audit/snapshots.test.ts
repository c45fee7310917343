import {
  createLocalJWKSet,
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  jwtVerify,
  SignJWT,
  type JSONWebKeySet,
  type JWTPayload,
} from "jose";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { ping } from "platform-contract/ping/ping";
import { SIGNATURE_KEYS_PATH, SIGNATURE_TYPE, signSnapshot } from "platform-contract/snapshots/signatures";
import { codeName, errorInfo } from "platform-contract/status";

import { fieldsOf, World, type Person } from "../../conformance/world";
import { snapshotKey } from "../../platform/store/keys/snapshot-key";
import { openEmpty, openMigrated, placeFor } from "../../testing/database";
import { startService } from "../../testing/service";
import { exportTo, importFrom } from "../../testing/transfer";

const DIGEST = `sha256:${"0123456789abcdef".repeat(4)}`;

let world: World;
let owner: Person;
let organization: string;
let folder: string;
let signature: string;
let claims: JWTPayload;
let keys: JSONWebKeySet;

const sign = (by: Person, uid: string, body: unknown = { digest: DIGEST }) =>
  world.send(by.token, signSnapshot.id, { uid, body });
const keysOf = async (url: string) =>
  (await (await fetch(`${url}${SIGNATURE_KEYS_PATH}`)).json()) as JSONWebKeySet;

beforeAll(async () => {
  world = await World.open();
  owner = await world.person("owner");
  organization = await world.create(owner, "groups", "", { name: "organization" });
  folder = await world.create(owner, "groups", organization, { name: "folder" });
  signature = String((await sign(owner, folder)).json["signature"]);
  claims = decodeJwt(signature);
  keys = await keysOf(world.service.url);
});
afterAll(() => world.service.stop());

test("the signature says who had which file of which group signed, and when, and nothing else", async () => {
  const { url } = world.service;
  const before = Math.floor(Date.now() / 1000);
  const answer = await sign(owner, folder);
  expect(Object.keys(answer.json)).toEqual(["signature"]);
  const made = String(answer.json["signature"]);
  const { payload, protectedHeader } = await jwtVerify(
    made,
    createRemoteJWKSet(new URL(`${url}${SIGNATURE_KEYS_PATH}`)),
    { issuer: url, typ: SIGNATURE_TYPE, algorithms: ["ES256"] },
  );
  expect(protectedHeader).toEqual({ alg: "ES256", typ: SIGNATURE_TYPE, kid: keys.keys[0]?.kid });
  expect(payload).toEqual({
    iss: url,
    sub: owner.uid,
    group: folder,
    digest: DIGEST,
    iat: expect.any(Number),
  });
  expect(payload.iat).toBeGreaterThanOrEqual(before);
  expect(payload.iat).toBeLessThanOrEqual(Math.floor(Date.now() / 1000));
});

test("another digest or another person does not verify", async () => {
  const [head, , end] = signature.split(".");
  for (const changed of [
    { ...claims, digest: `sha256:${"f".repeat(64)}` },
    { ...claims, sub: "f".repeat(40) },
  ]) {
    const forged = `${head}.${Buffer.from(JSON.stringify(changed)).toString("base64url")}.${end}`;
    await expect(jwtVerify(forged, createLocalJWKSet(keys))).rejects.toThrow("signature");
  }
});

test("the keys are public, without their private part, cacheable, and readable from any page", async () => {
  const address = `${world.service.url}${SIGNATURE_KEYS_PATH}`;
  const answer = await fetch(address, { headers: { origin: "https://anywhere.example" } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.headers.get("cache-control")).toBe("public, max-age=300");
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  expect(await answer.json()).toEqual({
    keys: [
      {
        kty: "EC",
        crv: "P-256",
        x: expect.any(String),
        y: expect.any(String),
        kid: expect.any(String),
        use: "sig",
        alg: "ES256",
      },
    ],
  });
  const etag = answer.headers.get("etag") ?? "";
  expect((await fetch(address, { headers: { "if-none-match": etag } })).status).toBe(304);
  const head = await fetch(address, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect((await fetch(address, { method: "POST" })).status).toBe(404);
});

test("the provider does not publish the key: nobody who checks tokens has it", async () => {
  const answer = await fetch(`${world.service.url}/oidc/jwks`);
  const { keys: others } = (await answer.json()) as JSONWebKeySet;
  expect(others.map(({ kid }) => kid)).not.toContain(keys.keys[0]?.kid);
});

test("a malformed digest, and a body that is none, are refused", async () => {
  const bad = [undefined, "", "0".repeat(64), `sha256:${"0".repeat(63)}`, `sha512:${"0".repeat(64)}`];
  for (const digest of [...bad, DIGEST.toUpperCase(), `${DIGEST}\n`, 7, [DIGEST]]) {
    const answer = await sign(owner, folder, { digest });
    expect({ digest, code: codeName(answer.json.code), fields: fieldsOf(answer) }).toEqual({
      digest,
      code: "INVALID_ARGUMENT",
      fields: ["digest"],
    });
  }
  const { url } = world.service;
  const post = (body: string) =>
    fetch(`${url}/snapshots/v1/groups/${folder}:sign`, {
      method: "POST",
      headers: { authorization: `Bearer ${owner.token}`, "content-type": "application/json" },
      body,
    });
  for (const body of ["[]", "{", `{"digest":"${DIGEST}","more":"${"x".repeat(1024 * 1024)}"}`])
    expect((await post(body)).status).toBe(400);
});

test("unknown members are treated as everywhere, and never signed", async () => {
  const answer = await sign(owner, folder, {
    digest: DIGEST,
    aud: world.service.url,
    sub: "somebody",
    exp: 1,
  });
  expect(answer.status).toBe(200);
  const made = decodeJwt(String(answer.json["signature"]));
  expect(Object.keys(made).toSorted()).toEqual(["digest", "group", "iat", "iss", "sub"]);
  expect(made.sub).toBe(owner.uid);
});

test("nobody gets a signature who cannot list everything that a snapshot of the group holds", async () => {
  const { needs } = signSnapshot.access;
  const all = await world.holder(owner, "lists everything", needs, folder);
  expect((await sign(all, folder)).status).toBe(200);
  expect((await sign(all, organization)).status).toBe(403);
  for (const left of needs) {
    const rest = needs.filter((one) => one !== left);
    const answer = await sign(await world.holder(owner, `all but ${left}`, rest, folder), folder);
    expect([answer.status, errorInfo(answer.json)?.metadata]).toEqual([
      403,
      expect.objectContaining({ capability: left }),
    ]);
  }
});

test("a group that is deleted is not found, or denied to those who could not see it", async () => {
  const gone = await world.create(owner, "groups", folder, { name: "gone" });
  await world.make(owner, "groups.delete", { uid: gone });
  const answer = await sign(owner, gone);
  expect(codeName(answer.json.code)).toBe("NOT_FOUND");
  const stranger = await world.person("stranger");
  expect(codeName((await sign(stranger, gone)).json.code)).toBe("PERMISSION_DENIED");
});

test("an Idempotency-Key gets the first signature again", async () => {
  const headers = { "idempotency-key": "0123456789abcdef-sign" };
  const path = `/snapshots/v1/groups/${folder}:sign`;
  const ask = () =>
    world.service.call("POST", path, { token: owner.token, body: { digest: DIGEST }, headers });
  expect((await ask()).json).toEqual((await ask()).json);
});

/** The ways in which a signature could pass for a token. */
async function refused(token: string, what: string): Promise<void> {
  for (const [method, path] of [
    ["GET", ping.path],
    ["GET", `/iam/v2/groups/${folder}`],
    ["POST", `/snapshots/v1/groups/${folder}:sign`],
  ] as const) {
    const body = method === "POST" ? { body: { digest: DIGEST } } : {};
    const answer = await world.service.call(method, path, { token, ...body });
    expect({ what, path, status: answer.status }).toEqual({ what, path, status: 401 });
  }
  const search = new URLSearchParams({ aud: world.service.url, identity: owner.uid });
  const exchanged = await world.service.call("POST", `/sts/exchange?${search}`, { token });
  expect({ what, exchanged: exchanged.status }).toEqual({ what, exchanged: 401 });
}

test("a signature is no token, whatever its header and claims are changed to", async () => {
  await refused(signature, "as it is");
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const [, , end = ""] = signature.split(".");
  const header = decodeProtectedHeader(signature);
  const access = {
    ...claims,
    iss: world.service.config.issuer,
    sub: "owner",
    aud: world.service.url,
    exp: Math.floor(Date.now() / 1000) + 300,
  };
  for (const change of [
    {},
    { typ: "at+jwt" },
    { typ: "at+jwt", kid: "test" },
    { typ: "at+jwt", alg: "none" },
    { typ: "at+jwt", alg: "HS256" },
    { typ: "at+jwt", jku: `${world.service.url}${SIGNATURE_KEYS_PATH}` },
    { typ: "at+jwt", jwk: keys.keys[0] },
  ])
    for (const payload of [claims, access])
      for (const last of [end, ""])
        await refused(
          `${encoded({ ...header, ...change })}.${encoded(payload)}.${last}`,
          JSON.stringify({ change, payload, last }),
        );
});

test("nor is a whole access token that this key has signed", async () => {
  const key = await snapshotKey(world.service.database);
  const { issuer } = world.service.config;
  for (const iss of [issuer, world.service.url])
    for (const kid of [key.kid ?? "", "test"])
      await refused(
        await new SignJWT({ client_id: "console" })
          .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid })
          .setIssuer(iss)
          .setSubject("owner")
          .setAudience(world.service.url)
          .setIssuedAt()
          .setExpirationTime("5m")
          .sign(await importJWK(key, "ES256")),
        `${iss} ${kid}`,
      );
});

test("nor is a signature a token of an identity that names the published key as its own", async () => {
  const staticKeys = {
    issuer: world.service.url,
    subject: owner.uid,
    issuerKeys: JSON.stringify(keys),
    expirationTime: new Date(Date.now() + 3_600_000).toISOString(),
  };
  const bot = await world.create(owner, "identities", folder, { name: "signer", staticKeys });
  await world.bind(owner, folder, bot, "owner");
  await refused(signature, "static keys");
  // The identity does work, with a token that this key would never sign.
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: "ES256", kid: keys.keys[0]?.kid ?? "" })
    .setIssuer(world.service.url)
    .setSubject(owner.uid)
    .setAudience(world.service.url)
    .setIssuedAt()
    .setExpirationTime("5m")
    .sign(await importJWK(await snapshotKey(world.service.database), "ES256"));
  expect((await world.service.call("GET", `/iam/v2/groups/${folder}`, { token })).status).toBe(200);
});

test("the key stays over a restart", async () => {
  const directory = await mkdtemp(join(tmpdir(), "snapshot-key-"));
  const place = await placeFor(directory);
  const seen: JSONWebKeySet[] = [];
  for (let i = 0; i < 2; i++) {
    const service = await startService({ DATA_DIR: directory, ...place.variables });
    seen.push(await keysOf(service.url));
    await service.stop();
  }
  expect(seen[1]).toEqual(seen[0]);
  await place.stop();
  await rm(directory, { recursive: true });
});

test("two processes that need it at once have the same one, and it moves with the data", async () => {
  const database = await openMigrated();
  const [first, second] = await Promise.all([snapshotKey(database), snapshotKey(database)]);
  expect(second).toEqual(first);
  const directory = await mkdtemp(join(tmpdir(), "snapshot-key-"));
  const file = join(directory, "export");
  await exportTo(database, file);
  const other = await openEmpty();
  await importFrom(other, file);
  expect(await snapshotKey(other)).toEqual(first);
  await Promise.all([database.close(), other.close(), rm(directory, { recursive: true })]);
});
