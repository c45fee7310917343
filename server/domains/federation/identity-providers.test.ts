import { beforeAll, expect, test } from "vitest";

import type { Caller } from "../../platform/access/caller";
import { sealedTexts } from "../../platform/store/keys/sealed-texts";
import { findProvider, withoutClientSecret } from "./identity-providers.table";
import { builtInRoleUid } from "../access/roles.table";
import { TestStore, type Wire } from "../../testing/store";
import { tablesOf } from "../../testing/transfer";

let store: TestStore;
let owner: Caller;
let organization: string;

beforeAll(async () => {
  store = await TestStore.open();
  ({ uid: organization, owner } = await store.organization("acme"));
});

const SECRET = "s3cret-of-the-client";
const OIDC = { issuer: "https://idp.example", clientId: "platform", clientSecret: SECRET };
const BODY = { name: "Acme SSO", defaultRole: builtInRoleUid("viewer"), oidc: OIDC };

const create = (body: Wire = {}) =>
  store.call(owner, "identityProviders.create", { parent: organization, body: { ...BODY, ...body } });
const update = (uid: string, body: Wire, updateMask?: string) =>
  store.call(owner, "identityProviders.update", { uid, body, query: updateMask ? { updateMask } : {} });
const refused = async (oidc: Wire) => {
  const body = { ...BODY, oidc };
  const { violations } = await store.refusal(owner, "identityProviders.create", {
    parent: organization,
    body,
  });
  return violations.map(({ field, description }) => `${field}: ${description}`);
};
const secretOf = async (uid: string) => {
  const provider = await findProvider(store.database, uid);
  return provider?.sealed ? sealedTexts(store.config).unseal(uid, provider.sealed) : provider?.sealed;
};

test("the client secret is in no answer and nowhere in the database as it is", async () => {
  const made = await create();
  const { uid } = made;
  const changed = await update(uid, { description: "changed" });
  const { identityProviders } = await store.call(owner, "identityProviders.list");
  const answers = [
    made,
    changed,
    identityProviders,
    await store.call(owner, "identityProviders.get", { uid }),
  ];
  expect(JSON.stringify(answers)).not.toMatch(/secret|sealed/i);
  for (const table of await tablesOf(store.database)) {
    const rows = await store.database.query(`select t::text as row from ${table} t`);
    expect([table, rows.filter(({ row }) => String(row).includes(SECRET))]).toEqual([table, []]);
  }
  expect(await secretOf(uid)).toBe(SECRET);
});

test("a provider without the secret that it needs is found, as after an import", async () => {
  const { uid } = await create();
  const { uid: without } = await create({ oidc: { ...OIDC, clientSecret: "", pkceEnabled: true } });
  expect(await withoutClientSecret(store.database)).not.toContain(uid);
  await store.database.query("delete from identity_provider_secrets where uid = $1", [uid]);
  const found = await withoutClientSecret(store.database);
  expect(found).toContain(uid);
  expect(found).not.toContain(without);
});

test("an edit that does not name the secret keeps it; one that names it changes or removes it", async () => {
  const { uid } = await create();
  await update(uid, { oidc: { clientId: "other" } });
  await update(uid, { oidc: { ...OIDC, clientSecret: undefined } }, "oidc");
  await update(uid, { ...BODY, oidc: { ...OIDC, clientSecret: undefined } }, "*");
  await update(uid, { oidc: { clientSecret: "not named" } }, "oidc.clientId").catch(() => {});
  expect(await secretOf(uid)).toBe(SECRET);
  await update(uid, { oidc: { clientSecret: "another" } }, "oidc.clientSecret");
  expect(await secretOf(uid)).toBe("another");
  await update(uid, { oidc: { pkceEnabled: true } }, "oidc.pkceEnabled,oidc.clientSecret");
  expect(await secretOf(uid)).toBeNull();
});

test("the same secret again is no change; another one is", async () => {
  const { uid, updateTime } = await create();
  expect((await update(uid, { oidc: OIDC }))["updateTime"]).toBe(updateTime);
  const changed = await update(uid, { oidc: { clientSecret: "another" } });
  expect(changed["updateTime"] > updateTime).toBe(true);
});

test("a sealed secret copied to another provider opens nothing", async () => {
  const [from, to] = [await create(), await create()];
  await store.database.query(
    `update identity_provider_secrets set sealed = (select sealed from identity_provider_secrets where uid = $1)
     where uid = $2`,
    [from["uid"], to["uid"]],
  );
  expect(await secretOf(to["uid"])).toBeUndefined();
});

test("a stored secret is not sent to another issuer", async () => {
  const { uid } = await create();
  const { violations } = await store.refusal(owner, "identityProviders.update", {
    uid,
    body: { oidc: { issuer: "https://mallory.example" } },
  });
  expect(violations.map(({ field }) => field)).toEqual(["oidc.clientSecret"]);
  const other = { issuer: "https://new.example", clientSecret: "of the new one" };
  expect(await update(uid, { oidc: other })).toMatchObject({ oidc: { issuer: other.issuer } });
});

test.each([
  ["http://idp.example"],
  ["https://user@idp.example"],
  ["https://idp.example?x=1"],
  ["https://idp.example/#x"],
  ["http://127.0.0.1:9000"],
  ["https://localhost"],
  ["https://platform.test/oidc"],
  ["https://PLATFORM.test/oidc/"],
])("the issuer %s is refused on its field", async (issuer) => {
  expect(await refused({ ...OIDC, issuer })).toEqual([expect.stringMatching(/^oidc\.issuer: must be/)]);
});

test("a client proves itself by a secret or by PKCE", async () => {
  expect(await refused({ issuer: OIDC.issuer, clientId: "x" })).toEqual([
    "oidc.clientSecret: required unless pkceEnabled is true",
  ]);
  const oidc = { issuer: OIDC.issuer, clientId: "x", pkceEnabled: true };
  expect(await create({ oidc })).toMatchObject({ oidc });
});

test("the correlation rule is set on creation", async () => {
  const rule = "CORRELATION_RULE_OID_EQUALS_EXTERNAL_ID";
  const { uid } = await create({ oidc: { ...OIDC, correlationRule: rule } });
  const body = { oidc: { correlationRule: "CORRELATION_RULE_SUB_EQUALS_EXTERNAL_ID" } };
  const { violations } = await store.refusal(owner, "identityProviders.update", { uid, body });
  expect(violations.map(({ field }) => field)).toEqual(["oidc.correlationRule"]);
});

test("a provider with mappings stays, and so do the roles that provider and mapping name", async () => {
  const role = async (name: string): Promise<string> =>
    (
      await store.call(owner, "roles.create", {
        parent: organization,
        body: { name, capabilities: ["groups.list"] },
      })
    )["uid"];
  const [first, mapped] = [await role("first"), await role("mapped")];
  const { uid } = await create({ defaultRole: first });
  const mapping = await store.call(owner, "externalGroupRoleMappings.create", {
    parent: uid,
    body: { externalGroupId: "engineers", roleUid: mapped, scope: organization },
  });
  expect(mapping).toMatchObject({ identityProviderUid: uid, externalGroupId: "engineers" });
  const words = async (id: string, at: string) =>
    (await store.refusal(owner, id, { uid: at })).preconditions.map(({ description }) => description);
  expect(await words("identityProviders.delete", uid)).toEqual([
    "cannot delete identity provider with group mappings",
  ]);
  expect(await words("roles.delete", mapped)).toEqual(["cannot delete role with group mappings"]);
  await store.call(owner, "externalGroupRoleMappings.delete", { uid: mapping["uid"] });
  expect(await words("roles.delete", first)).toEqual(["cannot delete role with identity providers"]);
  await store.call(owner, "identityProviders.delete", { uid });
  for (const one of [first, mapped]) await store.call(owner, "roles.delete", { uid: one });
});
