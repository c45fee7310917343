import { afterAll, beforeAll, expect, test } from "vitest";

import type { Caller } from "../../platform/access/caller";
import { TestStore } from "../../testing/store";

let store: TestStore;
let uid: string;
let owner: Caller;
beforeAll(async () => {
  store = await TestStore.open();
  ({ uid, owner } = await store.organization("subscriptions"));
});
afterAll(() => store.database.close());

const PUBLIC = "https://93.184.215.14";
const group = async (): Promise<string> =>
  (await store.call(owner, "groups.create", { parent: uid, body: { name: "place" } }))["uid"];
const subscribe = (parent: string, sink: string) =>
  store.call(owner, "subscriptions.create", { parent, body: { sink } });

test("a group has a sink once, another group has it as well; both keep their group", async () => {
  const [one, other] = [await group(), await group()];
  const made = await subscribe(one, `${PUBLIC}/hook`);
  expect(made).toEqual({
    uid: expect.stringMatching(`^${one}/[0-9a-f]{16}$`),
    sink: `${PUBLIC}/hook`,
    createTime: expect.any(String),
    updateTime: made["createTime"],
  });
  await subscribe(other, `${PUBLIC}/hook`);
  const again = await store.refusal(owner, "subscriptions.create", {
    parent: one,
    body: { sink: `${PUBLIC}/hook` },
  });
  expect([again.name, again.violations[0]?.field, again.resource?.["resourceName"]]).toEqual([
    "ALREADY_EXISTS",
    "sink",
    made["uid"],
  ]);
  const refused = await store.refusal(owner, "groups.delete", { uid: one });
  expect(refused.preconditions.map(({ description }) => description)).toEqual([
    "cannot delete group with child event subscriptions",
  ]);
  await store.call(owner, "subscriptions.delete", { uid: made["uid"] });
  await store.call(owner, "groups.delete", { uid: one });
});

test("a sink in a private network is refused on its field, and nothing is written", async () => {
  const place = await group();
  for (const sink of ["https://10.0.0.1/", "https://localhost/", "http://localhost/"]) {
    const { name, violations } = await store.refusal(owner, "subscriptions.create", {
      parent: place,
      body: { sink },
    });
    expect([name, violations]).toEqual([
      "INVALID_ARGUMENT",
      [{ field: "sink", description: "must be an https:// address on the internet" }],
    ]);
  }
  await store.call(owner, "groups.delete", { uid: place });
});

test("a group has so many, and no more", async () => {
  const place = await group();
  for (let index = 0; index < 20; index += 1) await subscribe(place, `${PUBLIC}/${index}`);
  const { name, preconditions } = await store.refusal(owner, "subscriptions.create", {
    parent: place,
    body: { sink: `${PUBLIC}/more` },
  });
  expect([name, preconditions[0]?.description]).toEqual([
    "FAILED_PRECONDITION",
    "a group can have at most 20 event subscriptions",
  ]);
});
