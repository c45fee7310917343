import { afterAll, beforeAll, expect, test } from "vitest";

import type { Caller } from "../../platform/access/caller";
import { TestStore, type Wire } from "../../testing/store";

let store: TestStore;
let organization: string;
let owner: Caller;
beforeAll(async () => {
  store = await TestStore.open();
  ({ uid: organization, owner } = await store.organization("acme"));
});
afterAll(() => store.database.close());

const create = (body: Wire): Promise<Wire> =>
  store.call(owner, "repos.create", { parent: organization, body });
const update = (uid: string, body: Wire): Promise<Wire> => store.call(owner, "repos.update", { uid, body });

test("a copy keeps what it had when the last of its makers lost the source", async () => {
  const { uid: theirs, owner: maker } = await store.organization("copyist");
  const { uid: source } = await create({ name: "shared", activeTags: ["1.27"] });
  const reader = await store.member("copyist's owner", "viewer", [organization], owner);
  const caller = { ...maker, identities: [...maker.identities, ...reader.identities] };
  const both = { ...caller, grants: [...maker.grants, ...reader.grants] };
  const [copy, again] = [
    await store.call(both, "repos.create", {
      parent: theirs,
      body: { name: "copy", sync_config: { source } },
    }),
    await store.call(both, "repos.create", {
      parent: theirs,
      body: { name: "again", sync_config: { source } },
    }),
  ].map(({ uid }) => uid as string) as [string, string];
  const write = async (word: string) => {
    await store.call(owner, "repos.updateReadme", { uid: source, body: { content: word } });
    await update(source, { activeTags: [word] });
  };
  const shown = async (uid: string) => [
    (await store.call(maker, "repos.getReadme", { uid }))["content"],
    ...(await store.call(maker, "repos.get", { uid }))["activeTags"],
  ];
  await write("open");
  expect(await shown(copy)).toEqual(["open", "open"]);
  const { roleBindings } = await store.call(owner, "roleBindings.list", {
    query: { identity: reader.identities[0] },
  });
  await store.call(owner, "roleBindings.delete", { uid: roleBindings[0].uid });
  // Later writes to the source do not reach it, even after a change of the copy itself.
  await store.call(maker, "repos.update", { uid: again, body: { description: "mine" } });
  await write("closed");
  await store.call(maker, "repos.update", { uid: copy, body: { description: "mine" } });
  await write("closed again");
  expect(await shown(copy)).toEqual(["open", "open"]);
  expect(await shown(again)).toEqual(["open", "open"]);
});
