import { afterAll, beforeAll, expect, test } from "vitest";

import { Failure } from "../../status";
import type { Caller } from "../../platform/access/caller";
import { TestStore, type Input } from "../../testing/store";

let store: TestStore;
let uid: string;
let owner: Caller;
let folder: string;
beforeAll(async () => {
  store = await TestStore.open();
  ({ uid, owner } = await store.organization("terms"));
  ({ uid: folder } = await store.call(owner, "groups.create", { parent: uid, body: { name: "folder" } }));
});
afterAll(() => store.database.close());

const document = (name: string, rest: object = {}) => ({
  name,
  label: `Terms ${name}`,
  url: `https://example.com/${name}`,
  ...rest,
});
const create = (parent: string, name: string) =>
  store.call(owner, "terms.create", { parent, body: document(name) });
const accept = (parent: string, ...documentIds: string[]) =>
  store.call(owner, "terms.create", { parent, body: { documentIds } });
const acceptances = async (group: string, query: object = {}) =>
  (await store.call(owner, "terms.get", { uid: group, query: { ...query } }))["termsAcceptances"];

/** Creates another group with separate terms, which apply to no other. */
const group = async (parent = uid): Promise<string> =>
  (await store.call(owner, "groups.create", { parent, body: { name: "place" } }))["uid"];

/** Returns the documents that block a write. */
async function missing(id: string, input: Input): Promise<string[]> {
  try {
    await store.call(owner, id, input);
  } catch (error) {
    if (!(error instanceof Failure) || error.message !== "terms not accepted") throw error;
    expect(error.name).toBe("FAILED_PRECONDITION");
    const [, detail] = error.toStatus("iam.test").details ?? [];
    expect(detail?.["@type"]).toMatch(/\.TermsNotAcceptedDetail$/);
    const documents = (detail?.["missing"] ?? []) as { id: string }[];
    return documents.map((one) => one.id);
  }
  return [];
}

test("repos and tags wait for the terms of their group and of those above it, and for no others", async () => {
  const [top, beside] = [await group(), await group()];
  const below = await group(top);
  const repo = await store.call(owner, "repos.create", { parent: below, body: { name: "before" } });
  await create(top, "b.v1");
  await create(below, "a.v1");
  expect(await missing("repos.create", { parent: below, body: { name: "x" } })).toEqual(["a.v1", "b.v1"]);
  const tag = { parent: repo["uid"], body: { name: "latest", digest: `sha256:${"a".repeat(64)}` } };
  expect(await missing("tags.create", tag)).toEqual(["a.v1", "b.v1"]);
  expect(await missing("repos.create", { parent: top, body: { name: "x" } })).toEqual(["b.v1"]);
  expect(await missing("repos.create", { parent: beside, body: { name: "x" } })).toEqual([]);
  // Existing records can still be changed, and other violations of new ones come first.
  await store.call(owner, "repos.update", { uid: repo["uid"], body: { description: "still" } });
  const wrong = await store.refusal(owner, "repos.create", { parent: below, body: { name: "No!" } });
  expect(wrong.violations.map(({ field }) => field)).toEqual(["name"]);

  // Accepting below applies only there, accepting above applies everywhere.
  expect(await accept(below, "b.v1", "b.v1")).toEqual({ group: below, documentIds: ["b.v1"] });
  expect(await missing("repos.create", { parent: below, body: { name: "x" } })).toEqual(["a.v1"]);
  expect(await missing("repos.create", { parent: top, body: { name: "y" } })).toEqual(["b.v1"]);
  await accept(below, "a.v1");
  await store.call(owner, "tags.create", tag);
  expect(await missing("repos.create", { parent: below, body: { name: "z" } })).toEqual([]);
});

test("an acceptance says who, what and where; accepting twice keeps the first, also from above", async () => {
  const top = await group();
  const below = await group(top);
  await create(top, "one.v1");
  await create(top, "two.v1");
  await accept(top, "one.v1");
  const [first] = await acceptances(top);
  expect(first).toEqual({
    docId: "one.v1",
    acceptedBy: owner.subject,
    orgUid: top,
    createTime: expect.any(String),
  });
  await accept(top, "one.v1");
  await accept(below, "one.v1", "two.v1");
  expect(await acceptances(top)).toEqual([first]);
  // Acceptances above are listed as well, page by page, oldest first.
  const ids: string[] = [];
  let page_token: string | undefined;
  do {
    const query = { page_size: 1, ...(page_token && { page_token }) };
    const page = await store.call(owner, "terms.get", { uid: below, query });
    expect(page["totalCount"]).toBe("2");
    ids.push(...page["termsAcceptances"].map(({ docId }: { docId: string }) => docId));
    page_token = page["nextPageToken"];
  } while (page_token);
  expect(ids).toEqual(["one.v1", "two.v1"]);
  for (const order_by of ["name desc", "createTime desc"]) {
    const page = await store.call(owner, "terms.get", { uid: below, query: { order_by } });
    expect(page["termsAcceptances"].map(({ docId }: { docId: string }) => docId)).toEqual([
      "two.v1",
      "one.v1",
    ]);
  }
});

test("nobody accepts what is not in force, and every such name is told", async () => {
  const [top, beside] = [await group(), await group()];
  await create(beside, "theirs.v1");
  const refused = await store.refusal(owner, "terms.create", {
    parent: top,
    body: { documentIds: ["theirs.v1", "none", 7] },
  });
  expect(refused.violations.map(({ field }) => field).toSorted()).toEqual([
    "documentIds[0]",
    "documentIds[1]",
    "documentIds[2]",
  ]);
  for (const documentIds of [[], null, "x"]) {
    const none = await store.refusal(owner, "terms.create", { parent: top, body: { documentIds } });
    expect(none.violations.map(({ field }) => field)).toEqual(["documentIds"]);
  }
  expect(await acceptances(top)).toEqual([]);
});

test("a group keeps while it has a document that nobody accepted; accepted ones go with it", async () => {
  const place = await group();
  const below = await group(place);
  await create(uid, "above.v1");
  await create(place, "kept.v1");
  const { uid: unread } = await create(place, "unread.v1");
  await accept(place, "above.v1", "kept.v1");
  await accept(below, "unread.v1");
  const refusal = (group: string) => store.refusal(owner, "groups.delete", { uid: group });
  const remove = (group: string) => store.call(owner, "groups.delete", { uid: group });
  expect((await store.refusal(owner, "terms.delete", { uid: unread })).name).toBe("FAILED_PRECONDITION");
  await remove(below);
  expect((await refusal(place)).preconditions.map(({ description }) => description)).toEqual([
    "cannot delete group with child terms",
  ]);
  await store.call(owner, "terms.delete", { uid: unread });
  await remove(place);
  const left = await store.database.query(
    "select 1 from terms where parent = $1 union all select 1 from terms_acceptances where parent = $1",
    [place],
  );
  expect(left).toEqual([]);
});

test("an accepted document keeps its name and url and stays; the rest of it changes", async () => {
  const top = await group();
  const { uid: one } = await create(top, "kept.v1");
  await store.call(owner, "terms.update", { uid: one, body: { url: "https://example.com/moved" } });
  await accept(top, "kept.v1");
  await store.call(owner, "terms.update", { uid: one, body: { label: "A better title" } });
  for (const [field, value] of [
    ["name", "kept.v2"],
    ["url", "https://example.com/else"],
  ] as const) {
    const refused = await store.refusal(owner, "terms.update", { uid: one, body: { [field]: value } });
    expect([refused.name, refused.preconditions[0]?.type]).toEqual([
      "FAILED_PRECONDITION",
      "RESOURCE_IN_USE",
    ]);
    expect(refused.violations.map((violation) => violation.field)).toEqual([field]);
  }
  expect((await store.refusal(owner, "terms.delete", { uid: one })).name).toBe("FAILED_PRECONDITION");
  expect(await store.call(owner, "terms.get", { uid: one })).toMatchObject({
    name: "kept.v1",
    label: "A better title",
    url: "https://example.com/moved",
  });
});

test("a name is taken where another document of it is in force, above or below, and free beside", async () => {
  const [top, beside] = [await group(), await group()];
  const below = await group(top);
  const { uid: known } = await create(below, "same.v1");
  for (const parent of [top, below, await group(below)]) {
    const refused = await store.refusal(owner, "terms.create", { parent, body: document("same.v1") });
    expect([refused.name, refused.violations[0]?.field, refused.resource?.["resourceName"]]).toEqual([
      "ALREADY_EXISTS",
      "name",
      known,
    ]);
  }
  const { uid: other } = await create(top, "other.v1");
  const renamed = await store.refusal(owner, "terms.update", { uid: other, body: { name: "same.v1" } });
  expect(renamed.name).toBe("ALREADY_EXISTS");
  expect((await create(beside, "same.v1"))["name"]).toBe("same.v1");
});

test("who may accept makes no documents, and who may make them does not accept", async () => {
  const top = await group();
  await create(top, "guarded.v1");
  const role = async (name: string, capability: string) =>
    (await store.call(owner, "roles.create", { parent: top, body: { name, capabilities: [capability] } }))[
      "uid"
    ];
  const accepter = await store.member("accepter", await role("a", "terms.accept"), [top], owner);
  const maker = await store.member("maker", await role("m", "groups.update"), [top], owner);
  const accepting = { parent: top, body: { documentIds: ["guarded.v1"] } };
  const making = { parent: top, body: document("new.v1") };
  expect((await store.refusal(maker, "terms.create", accepting)).message).toMatch(/CAP_TERMS_ACCEPT/);
  expect((await store.refusal(accepter, "terms.create", making)).message).toMatch(/CAP_IAM_GROUPS_UPDATE/);
  await store.call(maker, "terms.create", making);
  expect(await store.call(accepter, "terms.create", accepting)).toMatchObject({ group: top });
  const gone = { ...accepting, parent: `${top}/${"0".repeat(16)}` };
  expect((await store.refusal(accepter, "terms.create", gone)).name).toBe("NOT_FOUND");
});

test("an address that is not https is refused on its field", async () => {
  for (const url of ["http://example.com", "javascript:alert(1)", "https://", "", 7]) {
    const refused = await store.refusal(owner, "terms.create", {
      parent: folder,
      body: document("url.v1", { url }),
    });
    expect(refused.violations.map(({ field }) => field)).toEqual(["url"]);
  }
});
