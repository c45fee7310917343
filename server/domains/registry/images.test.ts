import { afterAll, beforeAll, expect, test } from "vitest";

import type { Caller } from "../../platform/access/caller";
import { TestStore } from "../../testing/store";

const digest = `sha256:${"a".repeat(64)}`;

let store: TestStore;
let owner: Caller;
let uid: string;

beforeAll(async () => {
  store = await TestStore.open();
  const made = await store.organization("acme");
  owner = made.owner;
  uid = (await store.call(owner, "repos.create", { parent: made.uid, body: { name: "nginx" } }))["uid"];
  await store.database.query(
    "insert into manifests values ($1, $2, 'amd64', 9007199254740993), ($1, $2, 'arm64', 41)",
    [uid, digest],
  );
});
afterAll(() => store.database.close());

test("an image says its architectures and its exact size for one of them, amd64 unless another is named", async () => {
  expect(await store.call(owner, "images.getArchitectures", { uid, digest })).toEqual({
    architectures: ["amd64", "arm64"],
  });
  expect(await store.call(owner, "images.getSize", { uid, digest })).toEqual({
    size: "9007199254740993",
    architecture: "amd64",
  });
  const query = { architecture: "arm64" };
  expect(await store.call(owner, "images.getSize", { uid, digest, query })).toEqual({
    size: "41",
    architecture: "arm64",
  });
});

test("what is not there is not found", async () => {
  const refusal = async (input: object) =>
    (await store.refusal(owner, "images.getSize", { uid, digest, ...input })).name;
  expect(await refusal({ query: { architecture: "s390x" } })).toBe("NOT_FOUND");
  expect(await refusal({ digest: `sha256:${"b".repeat(64)}` })).toBe("NOT_FOUND");
});
