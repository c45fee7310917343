import { afterAll, beforeAll, expect, test } from "vitest";

import { addUse, sweepUse } from "../domains/access/capability-use.table";
import { OverGrpc } from "../testing/over-grpc";
import { RegistryFixture } from "./registry-fixture";
import type { Person, Wire, World } from "./world";

let fixture: RegistryFixture;
let world: World;
let owner: Person;
let organization: string;
let folder: string;
let other: string;
let repo: string;
beforeAll(async () => {
  fixture = await RegistryFixture.open();
  ({ world, owner, organization } = fixture);
  folder = await world.create(owner, "groups", organization, { name: "runtime" });
  other = await world.create(owner, "groups", organization, { name: "else" });
  repo = await world.create(owner, "repos", folder, { name: "base" });
});
afterAll(() => fixture.close());

const where = (uid: unknown): string =>
  ({ [organization]: "organization", [folder]: "folder", [other]: "other" })[String(uid)] ?? String(uid);

/** `CAP_REPO_LIST folder 2` for two calls. */
async function use(reader: Person, query: Record<string, string>): Promise<string[]> {
  await world.service.writeCounts();
  const { capabilityUse = [] } = await world.make(reader, "capabilityUse.list", { query });
  return (capabilityUse as Wire[]).map(
    ({ capability, group, day, callCount }) =>
      `${capability} ${where(group)} ${day ? `${day} ` : ""}${callCount}`,
  );
}
const of = (who: Person, query: Record<string, string> = {}) => use(owner, { identity: who.uid, ...query });
const holder = (name: string, capabilities: readonly string[], group = folder) =>
  world.holder(owner, name, capabilities, group);

test("a call counts once, at the group of its record, over REST and gRPC alike", async () => {
  const reader = await holder("reads", ["repo.list", "tag.list"]);
  await world.make(reader, "repos.get", { uid: repo });
  const grpc = new OverGrpc(world.service.url);
  const answer = await grpc.send(reader.token, "repos.get", {
    variables: { uid: repo },
    query: {},
    body: undefined,
  });
  expect(answer?.status).toBe(200);
  expect(await of(reader)).toEqual(["CAP_REPO_LIST folder 2"]);
  await world.make(reader, "tags.list", { query: { "uidp.children_of": repo } });
  await world.make(reader, "tags.list");
  await world.make(reader, "tags.list", { query: { "uidp.descendants_of": organization } });
  expect(await of(reader)).toEqual(["CAP_REPO_LIST folder 2", "CAP_TAG_LIST folder 3"]);
  const today = new Date().toISOString().slice(0, 10);
  expect(await of(reader, { by_day: "true", capability: "repo.list" })).toEqual([
    `CAP_REPO_LIST folder ${today} 2`,
  ]);
});

test("refused calls, and those that find nothing, do not count", async () => {
  const reader = await holder("refused", ["repo.list"]);
  expect((await world.send(reader.token, "repos.delete", { uid: repo })).status).toBe(403);
  expect((await world.send(reader.token, "repos.get", { uid: `${other}/${"0".repeat(16)}` })).status).toBe(
    403,
  );
  expect((await world.send(reader.token, "repos.get", { uid: `${folder}/${"0".repeat(16)}` })).status).toBe(
    404,
  );
  expect(await of(reader)).toEqual([]);
});

test("what a handler decides counts as well: a role that is given needs all of its capabilities", async () => {
  const giver = await holder("gives", ["role_bindings.create", "repo.list", "groups.list"]);
  const { role } = await holder("given", ["repo.list"]);
  await world.offer(giver, folder, (await world.person("taker")).uid, role);
  expect(await of(giver)).toEqual(["CAP_IAM_ROLE_BINDINGS_CREATE folder 1", "CAP_REPO_LIST folder 1"]);
});

test("a token for the registry counts what it allows, at the group of the repo", async () => {
  const { namespace } = await world.make(owner, "groups.get", { uid: organization });
  const rooted = await fixture.repo("rooted");
  const puller = await holder("pulls", ["repo.blobs.get"], organization);
  const given = await fixture.token(puller.token, [`repository:${namespace}/rooted:pull,push`]);
  expect(given.access).toEqual([`${namespace}/rooted:pull`]);
  expect(rooted).toContain(organization);
  expect(await of(puller)).toEqual(["CAP_REPO_BLOBS_GET organization 1"]);
});

test("others' use is read by whoever can list role bindings there, and everybody reads their own", async () => {
  const busy = await holder("busy", ["repo.list"], organization);
  await world.make(busy, "repos.list", { query: { "uidp.descendants_of": folder } });
  await world.make(busy, "repos.list", { query: { "uidp.descendants_of": other } });
  const editor = await holder("edits", ["repo.list", "repo.update"], organization);
  await world.make(editor, "repos.get", { uid: repo });
  expect(await use(editor, {})).toEqual(["CAP_REPO_LIST folder 1"]);
  expect(await use(editor, { identity: busy.uid })).toEqual([]);
  const lister = await holder("lists", ["role_bindings.list"], folder);
  expect(await use(lister, { identity: busy.uid })).toEqual(["CAP_REPO_LIST folder 1"]);
  expect(await of(busy)).toHaveLength(2);
  expect(await of(busy, { "uidp.descendants_of": other })).toEqual(["CAP_REPO_LIST other 1"]);
});

test("a token of several identities counts for those that hold the capability there", async () => {
  const made = async (name: string) =>
    world.create(owner, "identities", organization, {
      name,
      claimMatch: { issuer: world.service.issuer.url, subjectPattern: "both" },
    });
  const [one, idle] = [await made("one"), await made("idle")];
  await world.bind(owner, folder, one, "viewer");
  const token = await world.machine("both");
  await world.make({ uid: one, token }, "repos.get", { uid: repo });
  expect(await of({ uid: one, token })).toEqual(["CAP_REPO_LIST folder 1"]);
  expect(await of({ uid: idle, token })).toEqual([]);
});

test("pages go on where the page before ended", async () => {
  const reader = await holder("pages", ["repo.list", "tag.list", "groups.list"], organization);
  await world.make(reader, "repos.list");
  await world.make(reader, "tags.list");
  await world.make(reader, "groups.list");
  await world.service.writeCounts();
  const found: string[] = [];
  let token = "";
  do {
    const query = { identity: reader.uid, page_size: "2", ...(token && { page_token: token }) };
    const page = await world.make(owner, "capabilityUse.list", { query });
    expect(page["totalCount"]).toBe("3");
    expect(Date.parse(page["recordedSince"])).toBeLessThanOrEqual(Date.now());
    found.push(...(page["capabilityUse"] as Wire[]).map(({ capability }) => String(capability)));
    token = page["nextPageToken"] ?? "";
  } while (token);
  expect(found).toEqual(["CAP_IAM_GROUPS_LIST", "CAP_REPO_LIST", "CAP_TAG_LIST"]);
});

test("use goes with its identity, and after 400 days", async () => {
  const { database } = world.service;
  const machine = await world.create(owner, "identities", folder, { name: "m", ...world.claims("used") });
  const at = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000);
  const used = (identity: string, daysAgo: number) => ({
    identity,
    capability: "CAP_REPO_LIST",
    place: repo,
    shared: false,
    calls: 2,
    first: at(daysAgo),
    last: at(daysAgo),
  });
  await addUse(database, [used(machine, 401), used(machine, 399), used(machine, 0), used("nobody", 0)]);
  const person = { uid: machine, token: "" };
  expect(await of(person)).toEqual(["CAP_REPO_LIST folder 6"]);
  expect(await of(person, { since: at(2).toISOString() })).toEqual(["CAP_REPO_LIST folder 2"]);
  await sweepUse(database, 400);
  expect(await of(person)).toEqual(["CAP_REPO_LIST folder 4"]);
  await world.make(owner, "identities.delete", { uid: machine });
  expect(await of(person)).toEqual([]);
});
