import { afterAll, beforeAll, expect, test } from "vitest";

import { capabilities } from "platform-contract/iam/capabilities";

import type { Caller } from "../../platform/access/caller";
import { builtInRoleUid, ensureBuiltInRoles } from "./roles.table";
import { TestStore } from "../../testing/store";

let store: TestStore;
let uid: string;
let owner: Caller;
beforeAll(async () => {
  store = await TestStore.open();
  ({ uid, owner } = await store.organization("roles"));
});
afterAll(() => store.database.close());

test("the built-in roles are there, in the sizes that are published", async () => {
  const { roles } = await store.call(owner, "roles.list", {
    query: { "uidp.in_root": true, order_by: "name" },
  });
  expect(roles.map(({ name, capabilities: held }: any) => [name, held.length])).toEqual([
    ["apk.pull", 3],
    ["console_viewer", 45],
    ["editor", 62],
    ["owner", 138],
    ["registry.pull", 10],
    ["registry.pull_token_creator", 15],
    ["viewer", 51],
  ]);
  expect(
    await store.call(owner, "roles.get", { uid: "63921b2c44617e3f2603851537be0123af4a57d7" }),
  ).toMatchObject({
    name: "viewer",
    description: "Viewer Role (built-in)",
  });
});

test("a start rewrites built-in roles that changed, and no others", async () => {
  const viewer = builtInRoleUid("viewer");
  const before = await store.call(owner, "roles.list", { query: { "uidp.in_root": true } });
  await store.database.query("update roles set capabilities = '{CAP_IAM_GROUPS_LIST}' where uid = $1", [
    viewer,
  ]);
  await ensureBuiltInRoles(store.database);
  const after = await store.call(owner, "roles.list", { query: { "uidp.in_root": true } });
  const times = ({ roles }: any) => roles.filter(({ name }: any) => name !== "viewer");
  expect(times(after)).toEqual(times(before));
  expect(after["roles"].find(({ name }: any) => name === "viewer").capabilities).toHaveLength(51);
});

test("nobody changes or deletes a built-in role", async () => {
  const input = { uid: builtInRoleUid("viewer"), body: { description: "mine" } };
  expect((await store.refusal(owner, "roles.update", input)).name).toBe("PERMISSION_DENIED");
  expect((await store.refusal(owner, "roles.delete", input)).name).toBe("PERMISSION_DENIED");
});

test("capabilities are read in either form, answered on the wire's, without repeats", async () => {
  const body = { name: "r", capabilities: ["groups.list", "CAP_IAM_GROUPS_LIST", "CAP_REPO_LIST"] };
  const role = await store.call(owner, "roles.create", { parent: uid, body });
  expect(role["capabilities"]).toEqual(["CAP_IAM_GROUPS_LIST", "CAP_REPO_LIST"]);
});

test("unknown and internal capabilities are violations at their index; none at all is one too", async () => {
  const internal = capabilities.find((facts) => facts.internal);
  const body = { name: "", capabilities: ["groups.list", "groups.lst", internal?.wire, "internal", 7] };
  expect((await store.refusal(owner, "roles.create", { parent: uid, body })).violations).toEqual([
    { field: "name", description: "must be 1 to 63 characters long" },
    { field: "capabilities[4]", description: "must be the name of a capability" },
    { field: "capabilities[1]", description: '"groups.lst" is not a capability' },
    { field: "capabilities[2]", description: `${internal?.dotted} is internal to the platform` },
    { field: "capabilities[3]", description: "internal is internal to the platform" },
  ]);
  for (const none of [[], undefined])
    expect(
      (await store.refusal(owner, "roles.create", { parent: uid, body: { name: "r", capabilities: none } }))
        .violations,
    ).toEqual([{ field: "capabilities", description: "at least one capability is required" }]);
});

test("a bound role stays", async () => {
  const body = { name: "bound", capabilities: ["groups.list"] };
  const role = (await store.call(owner, "roles.create", { parent: uid, body }))["uid"];
  await store.member("holder", role, [uid], owner);
  const { name, preconditions } = await store.refusal(owner, "roles.delete", { uid: role });
  expect([name, preconditions]).toEqual([
    "FAILED_PRECONDITION",
    [{ type: "RESOURCE_IN_USE", description: "cannot delete role with role bindings", subject: role }],
  ]);
});

test("reading a role: built-in ones by whoever lists roles anywhere, custom ones where they are", async () => {
  const { uid: elsewhere, owner: other } = await store.organization("elsewhere");
  const body = { name: "custom", capabilities: ["groups.list"] };
  const custom = (await store.call(owner, "roles.create", { parent: uid, body }))["uid"];
  expect(await store.call(other, "roles.get", { uid: builtInRoleUid("owner") })).toMatchObject({
    name: "owner",
  });
  const absent = (await store.refusal(other, "roles.get", { uid: `${uid}/${"0".repeat(16)}` })).message;
  const present = (await store.refusal(other, "roles.get", { uid: custom })).message;
  expect(present.replace(custom, "")).toBe(absent.replace(`${uid}/${"0".repeat(16)}`, ""));
  expect((await store.refusal(other, "roles.get", { uid: `${elsewhere}/${"0".repeat(16)}` })).name).toBe(
    "NOT_FOUND",
  );
  const nobody = await store.person("nobody");
  for (const one of [builtInRoleUid("owner"), "0".repeat(40)])
    expect((await store.refusal(nobody, "roles.get", { uid: one })).name).toBe("PERMISSION_DENIED");
  expect((await store.refusal(other, "roles.get", { uid: "0".repeat(40) })).name).toBe("NOT_FOUND");
});
