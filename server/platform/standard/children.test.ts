import { afterAll, beforeAll, expect, test } from "vitest";

import type { Kind } from "platform-contract/kind";
import { kinds } from "platform-contract/kinds";

import { TestStore } from "../../testing/store";
import { blockingKinds, deleteChildren } from "./children.table";

const gadgets: Kind = {
  collection: "oddGadgets",
  area: "iam",
  type: "OddGadget",
  noun: "odd gadget",
  plural: "odd gadgets",
  domain: "Access",
  parent: "groups",
  withParent: "blocks",
  screens: true,
  access: { list: { at: "visible", needs: ["CAP_IAM_GROUPS_LIST"] } },
};
const leftovers: Kind = { ...gadgets, collection: "leftovers", plural: "leftovers", withParent: "goes" };

let store: TestStore;
beforeAll(async () => {
  store = await TestStore.open();
  for (const table of ["odd_gadgets", "leftovers"])
    await store.database.query(`create table ${table} (uid text, parent text)`);
});
afterAll(() => store.database.close());

test("a kind that is added to the registry blocks the deletion of its group, or goes with it", async () => {
  const { uid, owner } = await store.organization("inventive");
  const { database } = store;
  const among = [...kinds, gadgets, leftovers];
  const blocking = async () =>
    (await blockingKinds(database, uid, owner.identities, among)).map(({ plural }) => plural);
  expect(await blocking()).toEqual([]);
  for (const table of ["odd_gadgets", "leftovers"])
    await database.query(`insert into ${table} values ('x', $1), ('y', 'elsewhere')`, [uid]);
  expect(await blocking()).toEqual(["odd gadgets"]);
  await store.call(owner, "groups.create", { parent: uid, body: { name: "folder" } });
  expect(await blocking()).toEqual(["groups", "odd gadgets"]);

  await deleteChildren(database, uid, among);
  expect(await database.query("select uid from leftovers")).toEqual([{ uid: "y" }]);
  expect(await database.query("select count(*)::int as n from odd_gadgets")).toEqual([{ n: 2 }]);
});
