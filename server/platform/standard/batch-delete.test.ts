import { beforeAll, expect, test } from "vitest";

import type { Caller } from "../access/caller";
import { giveMapped } from "../../domains/access/mapped-bindings.table";
import { builtInRoleUid } from "../../domains/access/roles.table";
import { TestStore, type Wire } from "../../testing/store";

let store: TestStore;
let owner: Caller;
let organization: string;

beforeAll(async () => {
  store = await TestStore.open();
  ({ uid: organization, owner } = await store.organization("acme"));
});

const ID = "externalGroupRoleMappings.batchDelete";

async function provider(): Promise<string> {
  const oidc = { issuer: "https://idp.example", clientId: "platform", pkceEnabled: true };
  const body = { name: "Acme SSO", defaultRole: builtInRoleUid("viewer"), oidc };
  return (await store.call(owner, "identityProviders.create", { parent: organization, body }))["uid"];
}
const mapping = async (parent: string, externalGroupId: string): Promise<string> => {
  const body = { externalGroupId, roleUid: builtInRoleUid("viewer"), scope: organization };
  return (await store.call(owner, "externalGroupRoleMappings.create", { parent, body }))["uid"];
};
const left = async (parent: string): Promise<string[]> => {
  const query = { identityProviderUid: parent, order_by: "name" };
  const { externalGroupRoleMappings } = await store.call(owner, "externalGroupRoleMappings.list", { query });
  return externalGroupRoleMappings.map(({ externalGroupId }: Wire) => externalGroupId);
};

test("several mappings go at once; those that are gone already are skipped", async () => {
  const parent = await provider();
  const [one, two] = [await mapping(parent, "one"), await mapping(parent, "two")];
  await mapping(parent, "three");
  const gone = `${parent}/${"0".repeat(16)}`;
  const answer = await store.call(owner, ID, { body: { parent, names: [two, gone, one, two] } });
  expect(answer["parent"]).toBe(parent);
  const deleted = answer["externalGroupRoleMappings"].map(({ externalGroupId }: Wire) => externalGroupId);
  expect(deleted.toSorted()).toEqual(["one", "two"]);
  expect(await left(parent)).toEqual(["three"]);
  expect(await store.call(owner, ID, { body: { parent, names: [one] } })).toEqual({ parent });
});

test("mappings of another provider are refused, and then none goes", async () => {
  const [parent, beside] = [await provider(), await provider()];
  const [own, theirs] = [await mapping(parent, "own"), await mapping(beside, "theirs")];
  const names = [own, theirs, organization, 7];
  const refused = await store.refusal(owner, ID, { body: { parent, names } });
  const fields = refused.violations.map(({ field }) => field).toSorted();
  expect(fields).toEqual(["names[1]", "names[2]", "names[3]"]);
  expect([await left(parent), await left(beside)]).toEqual([["own"], ["theirs"]]);
  for (const wrong of [[], undefined, "x", Array.from({ length: 101 }, () => own)]) {
    const { violations } = await store.refusal(owner, ID, { body: { parent, names: wrong } });
    expect(violations.map(({ field }) => field)).toEqual(["names"]);
  }
});

test("roles that the mappings gave go with them", async () => {
  const parent = await provider();
  const uid = await mapping(parent, "members");
  const { identities } = await store.person("member");
  const roles = async () =>
    (await store.call(owner, "roleBindings.list", { query: { identity: identities[0] } }))["roleBindings"];
  await store.database.transaction((queries) =>
    giveMapped(queries, identities, { uid, role: builtInRoleUid("viewer"), scope: organization }),
  );
  expect(await roles()).toHaveLength(1);
  await store.call(owner, ID, { body: { parent, names: [uid] } });
  expect(await roles()).toEqual([]);
});
