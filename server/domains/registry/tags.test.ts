import { afterAll, beforeAll, expect, test } from "vitest";

import type { Caller } from "../../platform/access/caller";
import { familyOf } from "./tags.table";
import { TestStore, type Wire } from "../../testing/store";

const digest = (character: string) => `sha256:${character.repeat(64)}`;

let store: TestStore;
let owner: Caller;
let repo: string;

beforeAll(async () => {
  store = await TestStore.open();
  const made = await store.organization("acme");
  owner = made.owner;
  repo = (await store.call(owner, "repos.create", { parent: made.uid, body: { name: "nginx" } }))["uid"];
});
afterAll(() => store.database.close());

const put = (name: string, more: Wire = {}): Promise<Wire> =>
  store.call(owner, "tags.create", { parent: repo, body: { name, digest: digest("a"), ...more } });
const list = async (query: Wire = {}): Promise<string[]> =>
  (await store.call(owner, "tags.list", { query: { "uidp.children_of": repo, order_by: "name", ...query } }))[
    "tags"
  ].map(({ name }: Wire) => name);

test("creating a tag that is there puts another image under its name", async () => {
  const first = await put("1.0", { deprecated: true, bundles: ["old"] });
  expect(first).toMatchObject({ name: "1.0", digest: digest("a"), deprecated: true, bundles: ["old"] });
  const second = await put("1.0", { digest: digest("b") });
  expect(second).toMatchObject({ uid: first["uid"], digest: digest("b"), deprecated: false });
  expect(second).not.toHaveProperty("bundles");
  expect(second["createTime"]).toBe(first["createTime"]);
  expect(second["updateTime"] > first["updateTime"]).toBe(true);
  // Repeating it changes nothing.
  expect(await put("1.0", { digest: digest("b") })).toEqual(second);
  const both = await Promise.all([put("race"), put("race", { digest: digest("c") })]);
  expect(both[0]["uid"]).toBe(both[1]["uid"]);
  expect(await list({ name: "race" })).toEqual(["race"]);
});

test("the three families of names are hidden unless they are asked for, the total included", async () => {
  for (const name of ["2.0", "2.0-r1", "2.0-20260101", "sha256-abc", "2.0-r1-dev", "2.0-19990101"])
    await put(name);
  const plain = ["1.0", "2.0", "2.0-19990101", "2.0-r1-dev", "race"];
  expect(await list()).toEqual(plain);
  expect(await list({ includeEpochs: true })).toEqual([...plain, "2.0-r1"].toSorted());
  expect(await list({ includeDates: true, includeEpochs: true })).toEqual(
    [...plain, "2.0-20260101", "2.0-r1"].toSorted(),
  );
  const all = { includeDates: true, includeEpochs: true, includeReferrers: true };
  expect(await list(all)).toEqual([...plain, "2.0-20260101", "2.0-r1", "sha256-abc"].toSorted());
  const counted = async (query: Wire) =>
    (await store.call(owner, "tags.list", { query: { "uidp.children_of": repo, ...query } }))["totalCount"];
  expect([await counted({}), await counted(all)]).toEqual(["5", "8"]);
  expect(["a", "a-rc1", "a-20300101", "a-r0", "sha256-a"].map(familyOf)).toEqual([
    "",
    "",
    "dated",
    "epoch",
    "referrer",
  ]);
});

test("a filter by name or digest finds tags of every family, at every scope", async () => {
  const names = ["one-r1", "one-r2", "one-20260101", "sha256-one", "one"];
  for (const name of names) await put(name, { digest: digest("1") });
  const scopes = [
    {},
    { "uidp.descendants_of": repo.slice(0, 40) },
    { "uidp.descendants_of": repo },
    { "uidp.children_of": repo },
  ];
  const found = async (query: Wire) => {
    const page = await store.call(owner, "tags.list", { query });
    return [page["totalCount"], ...page["tags"].map(({ name }: Wire) => name)];
  };
  for (const scope of scopes) {
    for (const name of names) expect(await found({ ...scope, name })).toEqual(["1", name]);
    for (const order_by of ["uid", "name", "name desc", "created_at", "updated_at desc"]) {
      const query = { ...scope, digest: digest("1"), order_by };
      const [total, ...all] = await found(query);
      expect([total, all.toSorted()]).toEqual(["5", names.toSorted()]);
      expect(await found({ ...query, skip: 2, page_size: 2 })).toEqual(["5", ...all.slice(2, 4)]);
    }
  }
});

test("the total is what there is, however tags came and went, and many at once", async () => {
  const { uid: folder } = await store.call(owner, "groups.create", {
    parent: repo.slice(0, 40),
    body: { name: "folder" },
  });
  const make = async (name: string): Promise<string> =>
    (await store.call(owner, "repos.create", { parent: folder, body: { name } }))["uid"];
  const [one, two] = [await make("one"), await make("two")] as const;
  const names = ["1", "1-r0", "1-r1", "1-20260811", "sha256-a", "latest"];
  const all = { includeDates: true, includeEpochs: true, includeReferrers: true };
  const scopes = [one, two, folder, `${one}/${"0".repeat(16)}`].flatMap((uid) => [
    { "uidp.children_of": uid },
    { "uidp.descendants_of": uid },
  ]);
  const flags = [{}, all, ...Object.keys(all).map((flag) => ({ [flag]: true }))];
  const check = async (wanted: string[]) => {
    const totals: string[] = [];
    for (const query of scopes.flatMap((scope) => flags.map((flag) => ({ ...scope, ...flag })))) {
      const { tags: found, totalCount } = await store.call(owner, "tags.list", { query });
      expect({ query, totalCount }).toEqual({ query, totalCount: String(found.length) });
      totals.push(totalCount);
    }
    expect(totals.slice(0, flags.length)).toEqual(wanted);
  };
  const create = (parent: string, name: string) =>
    store.call(owner, "tags.create", { parent, body: { name, digest: digest("d") } });
  const made = await Promise.all(
    [one, two].flatMap((parent) => [...names, "1", "latest"].map((name) => create(parent, name))),
  );
  await check(["2", "6", "3", "4", "3"]);
  const gone = made.filter(({ name }) => ["1-r0", "latest"].includes(name)).map(({ uid }) => uid);
  await Promise.all([...new Set(gone)].map((uid) => store.call(owner, "tags.delete", { uid })));
  await create(one, "1-r0");
  await expect(create(one, "-no")).rejects.toThrow("Invalid argument");
  await check(["1", "5", "2", "3", "2"]);
  await store.call(owner, "repos.delete", { uid: one });
  await check(["0", "0", "0", "0", "0"]);
});

test("an exact name or digest finds a tag of every family, the total included", async () => {
  for (const name of ["3.0-r7", "3.0-20260102", "sha256-def"]) {
    const { digest: wanted } = await put(name, { digest: digest(String(name.length % 10)) });
    for (const query of [{ name }, { digest: wanted }]) {
      const asked = { "uidp.children_of": repo, ...query };
      const { tags, totalCount } = await store.call(owner, "tags.list", { query: asked });
      expect([tags.map((tag: Wire) => tag["name"]), totalCount]).toEqual([[name], "1"]);
    }
  }
  expect(await list()).not.toContain("3.0-r7");
});

test("tags are found by digest and by when they changed", async () => {
  await put("found", { digest: digest("f") });
  expect(await list({ digest: digest("f") })).toEqual(["found"]);
  const { updateTime } = await put("late");
  expect(await list({ updatedSince: updateTime })).toEqual([]);
  const before = new Date(Date.parse(updateTime) - 1).toISOString();
  expect(await list({ updatedSince: before })).toContain("late");
});

test("a tag needs a digest and a name that registries take; a repo takes its tags with it", async () => {
  const { violations } = await store.refusal(owner, "tags.create", {
    parent: repo,
    body: { name: ".dot", digest: "sha256:short" },
  });
  expect(violations.map(({ field }) => field)).toEqual(["name", "digest"]);
  await store.call(owner, "repos.delete", { uid: repo });
  expect(await list()).toEqual([]);
  expect(await store.refusal(owner, "tags.create", { parent: repo, body: { name: "x" } })).toMatchObject({
    name: "NOT_FOUND",
  });
});
