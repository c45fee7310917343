import { afterAll, beforeAll, expect, test } from "vitest";

import type { Caller } from "../../platform/access/caller";
import { TestStore } from "../../testing/store";

let store: TestStore;
let uid: string;
let owner: Caller;
beforeAll(async () => {
  store = await TestStore.open();
  ({ uid, owner } = await store.organization("associations"));
});
afterAll(() => store.database.close());

const group = async (parent = uid): Promise<string> =>
  (await store.call(owner, "groups.create", { parent, body: { name: "place" } }))["uid"];
const service = async (parent: string, servicePrincipal: string): Promise<string> =>
  (await store.call(owner, "identities.create", { parent, body: { name: "service", servicePrincipal } }))[
    "uid"
  ];
const fieldsOf = async (parent: string, body: object): Promise<string[]> =>
  (
    await store.refusal(owner, "accountAssociations.create", { parent, body: { name: "a", ...body } })
  ).violations.map(({ field }) => field);

test("a group has one at most, which has its uid, may be bare, and goes with the group", async () => {
  const place = await group();
  const made = await store.call(owner, "accountAssociations.create", {
    parent: place,
    body: { name: "bare" },
  });
  expect(made).toEqual({
    uid: place,
    name: "bare",
    createTime: expect.any(String),
    updateTime: made["createTime"],
  });
  const again = await store.refusal(owner, "accountAssociations.create", {
    parent: place,
    body: { name: "second" },
  });
  expect([again.name, again.violations[0]?.field, again.resource?.["resourceName"]]).toEqual([
    "ALREADY_EXISTS",
    "parent",
    place,
  ]);
  const inside = async (query: object) =>
    (await store.call(owner, "accountAssociations.list", { query: { ...query } }))["accountAssociations"].map(
      (one: { uid: string }) => one.uid,
    );
  expect(await inside({ "uidp.children_of": place })).toEqual([place]);
  expect(await inside({ "uidp.descendants_of": uid })).toContain(place);
  expect(await inside({ "uidp.children_of": uid })).toEqual([]);
  expect(await inside({ "uidp.ancestors_of": place })).toEqual([place]);
  expect(await inside({ "uidp.in_root": true })).toEqual([]);
  await store.call(owner, "groups.delete", { uid: place });
  expect(await inside({ "uidp.descendants_of": uid })).toEqual([]);
});

test("accounts are of the form that their providers give them", async () => {
  const place = await group();
  const tenantId = "72f988bf-86f1-41af-91ab-2d7cd011db47";
  for (const [body, ...fields] of [
    [{ amazon: { account: "12345" } }, "amazon.account"],
    [
      { amazon: {}, google: { projectId: "a b", projectNumber: "x" } },
      "google.projectId",
      "google.projectNumber",
    ],
    [{ azure: { tenantId: "no", clientIds: { a: "b" } } }, "azure.tenantId"],
    [{ azure: { tenantId } }, "azure.clientIds"],
    [{ azure: { tenantId, clientIds: { a: "" } } }, "azure.clientIds.a"],
    [{ github: { appInstallations: { x: { installations: [] } } } }, "github.appInstallations.x"],
    [
      {
        github: { appInstallations: { "1": { installations: [{ installationId: "9223372036854775808" }] } } },
      },
      "github.appInstallations.1.installations[0].installationId",
    ],
  ] as const)
    expect([body, ...(await fieldsOf(place, body))]).toEqual([body, ...fields]);
});

test("a service is bound to an identity of its own, directly in the group", async () => {
  const [place, beside] = [await group(), await group()];
  const [own, other, elsewhere] = [
    await service(place, "SERVICE_PRINCIPAL_COSIGNED"),
    await service(place, "SERVICE_PRINCIPAL_INGESTER"),
    await service(beside, "SERVICE_PRINCIPAL_COSIGNED"),
  ];
  const at = "chainguard.serviceBindings.SERVICE_PRINCIPAL_COSIGNED";
  const bound = (identity: string) => ({
    chainguard: { serviceBindings: { SERVICE_PRINCIPAL_COSIGNED: identity } },
  });
  for (const wrong of [other, elsewhere, `${place}/${"0".repeat(16)}`, "no uid"])
    expect(await fieldsOf(place, bound(wrong))).toEqual([at]);
  for (const name of ["SERVICE_PRINCIPAL_UNSPECIFIED", "NOBODY"])
    expect(await fieldsOf(place, { chainguard: { serviceBindings: { [name]: own } } })).toEqual([
      `chainguard.serviceBindings.${name}`,
    ]);
  const made = await store.call(owner, "accountAssociations.create", {
    parent: place,
    body: { name: "bound", ...bound(own) },
  });
  expect(made["chainguard"]).toEqual(bound(own).chainguard);
  // A deleted identity blocks no other change.
  await store.call(owner, "identities.delete", { uid: own });
  const changed = await store.call(owner, "accountAssociations.update", {
    uid: place,
    query: { updateMask: "amazon.account" },
    body: { amazon: { account: "123456789012" } },
  });
  expect(changed).toMatchObject({ ...bound(own), amazon: { account: "123456789012" } });
});

test("the check tells what is not configured from what it does not check, and is never ready", async () => {
  const place = await group();
  const check = (providerType: unknown) =>
    store.call(owner, "accountAssociations.checkAccountAssociation", { uid: place, body: { providerType } });
  const input = { uid: place, body: { providerType: "ACCOUNT_PROVIDER_TYPE_AMAZON" } };
  const id = "accountAssociations.checkAccountAssociation";
  expect((await store.refusal(owner, id, input)).name).toBe("NOT_FOUND");
  const body = { name: "checked", amazon: { account: "123456789012" } };
  await store.call(owner, "accountAssociations.create", { parent: place, body });
  const status = "CHECK_STATUS_NOT_READY";
  expect(await check("ACCOUNT_PROVIDER_TYPE_AMAZON")).toMatchObject({
    status: "CHECK_STATUS_UNSPECIFIED",
    reason: "not checked",
  });
  expect(await check("ACCOUNT_PROVIDER_TYPE_AZURE")).toMatchObject({ status, reason: "not configured" });
  for (const providerType of [undefined, "ACCOUNT_PROVIDER_TYPE_UNSPECIFIED", 1]) {
    const refused = await store.refusal(owner, id, { uid: place, body: { providerType } });
    expect(refused.violations.map(({ field }) => field)).toEqual(["providerType"]);
  }
});
