import { afterAll, beforeAll, expect, test } from "vitest";

import type { Queries } from "../store/database";
import { builtInRoleUid } from "../../domains/access/roles.table";
import { TestStore } from "../../testing/store";
import { grantsOf } from "./grants";

let store: TestStore;
beforeAll(async () => {
  store = await TestStore.open();
});
afterAll(() => store.database.close());

test("what is kept of roles is as new as the last change, of a role or of a binding", async () => {
  const { uid: parent, owner } = await store.organization("kept");
  const create = (name: string, capabilities: string[]) =>
    store.call(owner, "roles.create", { parent, body: { name, capabilities } });
  const role = (await create("reader", ["groups.list"]))["uid"];
  const other = (await create("other", ["roles.list"]))["uid"];
  const { identities } = await store.person("somebody");
  const folder = (await store.call(owner, "groups.create", { parent, body: { name: "folder" } }))["uid"];
  const bind = (at: string, roleUid: string) =>
    store.call(owner, "roleBindings.create", { parent: at, body: { identityUid: identities[0], roleUid } });
  const held = async () =>
    (await grantsOf(store.database, identities))
      .map(({ group, capabilities }) => `${group} ${[...capabilities].toSorted().join(",")}`)
      .toSorted();

  const binding = (await bind(parent, role))["uid"];
  await bind(folder, role);
  const [one, two] = ["CAP_IAM_GROUPS_LIST", "CAP_IAM_ROLES_LIST"];
  expect(await held()).toEqual([`${parent} ${one}`, `${folder} ${one}`].toSorted());

  await store.call(owner, "roles.update", {
    uid: role,
    query: { updateMask: "capabilities" },
    body: { capabilities: ["groups.list", "roles.list"] },
  });
  expect(await held()).toEqual([`${parent} ${one},${two}`, `${folder} ${one},${two}`].toSorted());

  await store.call(owner, "roleBindings.delete", { uid: binding });
  await bind(parent, other);
  expect(await held()).toEqual([`${folder} ${one},${two}`, `${parent} ${two}`].toSorted());
});

test("an answer that is like the one before gives the same list, any other one a new list", async () => {
  const { uid: parent, owner } = await store.organization("alike");
  const { identities } = await store.person("reader");
  await store.member("reader", "viewer", [parent], owner);
  const held = () => grantsOf(store.database, identities);
  const before = await held();
  expect(before.map(({ group }) => group)).toEqual([parent]);
  expect(await held()).toBe(before);
  const folder = (await store.call(owner, "groups.create", { parent, body: { name: "folder" } }))["uid"];
  expect(await held()).toBe(before);
  const { uid } = await store.call(owner, "roleBindings.create", {
    parent: folder,
    body: { identityUid: identities[0], roleUid: builtInRoleUid("editor") },
  });
  expect((await held()).map(({ group }) => group).toSorted()).toEqual([parent, folder]);
  await store.call(owner, "roleBindings.delete", { uid });
  expect(await held()).toEqual(before);
});

test("nobody loses a role because what is kept of roles is emptied while another of theirs is read", async () => {
  const changed = new Date();
  const holds: Record<string, string[]> = {
    ada: ["known"],
    bob: ["known", "new"],
    everybody: Array.from({ length: 5_001 }, (_, index) => `role-${index}`),
    nobody: [],
  };
  let release: (() => void) | undefined;
  const query = async (sql: string, [uids]: [string[]]) => {
    if (sql.includes("from held_roles"))
      return holds[uids[0] ?? ""]?.map((role) => ({ role, changed, home: null, groups: "group" }));
    if (uids.includes("new")) await new Promise<void>((resolve) => (release = resolve));
    return uids.map((uid) => ({ uid, updated_at: changed, capabilities: [`of ${uid}`] }));
  };
  const queries = { query } as unknown as Queries;
  await grantsOf(queries, ["ada"]);
  const bobs = grantsOf(queries, ["bob"]);
  await expect.poll(() => release).toBeDefined();
  await grantsOf(queries, ["everybody"]);
  // Over the limit: this call clears the cache.
  await grantsOf(queries, ["nobody"]);
  release?.();
  expect((await bobs).map(({ capabilities }) => [...capabilities])).toEqual([["of known"], ["of new"]]);
});
