import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from "jose";
import { X509Certificate } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { check, type Finding } from "../check";
import { renameNamespace } from "../domains/registry/namespaces.table";
import { registryCertificates } from "../platform/registry/keys";
import { RegistryFixture } from "./registry-fixture";

let fixture: RegistryFixture;
beforeAll(async () => {
  fixture = await RegistryFixture.open();
});
afterEach(() => (fixture.registry.instead = undefined));
afterAll(() => fixture.close());

/** What `--check` says of the registry, with the database of the running service. */
async function findingOf(): Promise<Finding | undefined> {
  const { registry, world } = fixture;
  const { url, config } = world.service;
  const variables = {
    SEED: "none",
    PUBLIC_URL: url,
    DATA_DIR: config.dataDir,
    REGISTRY_URL: registry.url,
    ...(config.databaseUrl !== undefined && { DATABASE_URL: config.databaseUrl }),
  };
  for await (const one of check(variables)) if (one.what === "registry") return one;
  return undefined;
}

test("--check tries the registry with a token, and says what it answers", async (context) => {
  // Only one process at a time opens the embedded database.
  if (fixture.world.service.database.kind === "embedded") return context.skip();
  expect(await findingOf()).toMatchObject({ result: "ok" });
  fixture.registry.instead = (_request, response) => {
    response.writeHead(401).end();
    return true;
  };
  expect(await findingOf()).toMatchObject({
    result: "warning",
    sentence: expect.stringContaining("cannot be used"),
  });
  fixture.registry.instead = undefined;
  const { world, owner, organization } = fixture;
  await fixture.repo("twice");
  const folder = await world.create(owner, "groups", organization, { name: "folder" });
  const twin = `${folder}/${"e".repeat(16)}`;
  await world.service.database.query(
    `insert into repos (uid, parent, name, created_at, updated_at) values ($1, $2, 'twice', now(), now())`,
    [twin, folder],
  );
  expect(await findingOf()).toMatchObject({
    result: "warning",
    sentence: expect.stringContaining("acme-inc/twice"),
  });
  await world.make(owner, "repos.delete", { uid: twin });
});

test("the keys of both kinds of registries verify its tokens, and hold nothing private", async () => {
  const { world, owner } = fixture;
  const { token } = await fixture.token(owner.token, []);
  const { config, database } = world.service;
  const { issuer = "", service = "" } = config.registry ?? {};
  const { json, bytes } = await world.service.call("GET", "/registry/jwks.json");
  const keys = json as unknown as JSONWebKeySet;
  expect(bytes.toString()).not.toContain('"d"');
  // One signs now, the other one next.
  expect(keys.keys).toHaveLength(2);
  await jwtVerify(token, createLocalJWKSet(keys), { issuer, audience: service });
  const pem = await registryCertificates(database, issuer, new Date());
  const certificates = pem.match(/-----BEGIN[^]+?-----END CERTIFICATE-----/g) ?? [];
  expect(certificates).toHaveLength(2);
  const verified = await Promise.allSettled(
    certificates.map((one) => jwtVerify(token, new X509Certificate(one).publicKey, { issuer })),
  );
  expect(verified.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(keys.keys.map(({ kid }) => kid)).toContain(decodeProtectedHeader(token).kid);
});

test("an organization with another name in the registry keeps the old one from others", async () => {
  const { world, owner, organization } = fixture;
  const { database } = world.service;
  await fixture.repo("named");
  expect(await database.transaction((queries) => renameNamespace(queries, organization, "acme"))).toBe(
    "acme-inc",
  );
  expect(await fixture.access(owner.token, "repository:acme/named:pull")).toEqual(["acme/named:pull"]);
  expect(await fixture.access(owner.token, "repository:acme-inc/named:pull")).toEqual([]);
  const stranger = await world.person("stranger");
  const other = await world.create(stranger, "groups", "", { name: "Acme Inc" });
  const { namespace } = await world.make(stranger, "groups.get", { uid: other });
  expect(namespace).not.toBe("acme-inc");
  const taken = (name: string) => database.transaction((queries) => renameNamespace(queries, other, name));
  // The transaction of the command ends with the refusal; here it would leave the organization without a name.
  expect(await taken("acme-inc").catch(() => undefined)).toBeUndefined();
  expect(await database.transaction((queries) => renameNamespace(queries, organization, "acme-inc"))).toBe(
    "acme",
  );
});
