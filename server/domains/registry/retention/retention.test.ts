import { afterAll, beforeAll, expect, test } from "vitest";

import { AttackFixture } from "../../../conformance/attack-fixture";
import type { Input, Person, Wire, World } from "../../../conformance/world";
import { sha256 } from "../../../testing/registry";
import { runRetention, today } from "./run";

let cast: AttackFixture;
let world: World;
let owner: Person;
let organization: string;
let folder: string;

beforeAll(async () => {
  cast = await AttackFixture.open();
  ({ world, owner, organization, folder } = cast);
});
afterAll(() => world.service.stop());

const DAY = 86_400_000;

/** A repo with tags that were last updated so many days ago. */
async function tagged(
  name: string,
  tags: Readonly<Record<string, number>>,
  { parent = folder, more = {} }: { readonly parent?: string; readonly more?: Wire } = {},
): Promise<string> {
  const repo = await world.create(owner, "repos", parent, { name, ...more });
  for (const [tag, days] of Object.entries(tags)) {
    const uid = await world.create(owner, "tags", repo, { name: tag, digest: sha256(`${name} ${tag}`) });
    await age(uid, days);
  }
  return repo;
}
const age = (uid: string, days: number) =>
  world.service.database.query(
    "update tags set updated_at = $2, created_at = least(created_at, $2) where uid = $1",
    [uid, new Date(Date.now() - days * DAY)],
  );

const set = (uid: string, body: Wire, by = owner) => world.make(by, "retentionRules.set", { uid, body });
const preview = (uid: string, query: Input["query"] = {}, by = owner) =>
  world.make(by, "retentionDecisions.list", { uid, query });
const confirmation = async (uid: string, by = owner): Promise<Wire> => {
  const { previewToken, version } = await preview(uid, {}, by);
  return { previewToken, version };
};
const confirm = async (uid: string, by = owner) =>
  world.make(by, "retentionRules.confirm", { uid, body: await confirmation(uid, by) });
const ruleOf = async (uid: string): Promise<Wire> =>
  (await world.make(owner, "retentionRules.effective", { uid }))["rule"];
const runsOf = async (uid: string, by = owner): Promise<Wire[]> =>
  (await world.make(by, "retentionRuns.list", { query: { "uidp.descendants_of": uid } }))["retentionRuns"] ??
  [];
const deletionsOf = async (uid: string): Promise<Wire[]> =>
  (await world.make(owner, "retentionDeletions.list", { uid }))["retentionDeletions"] ?? [];
const names = async (repo: string): Promise<string[]> => {
  const { tags = [] } = await world.make(owner, "tags.list", {
    query: {
      "uidp.children_of": repo,
      includeDates: "true",
      includeEpochs: "true",
      includeReferrers: "true",
      order_by: "name",
    },
  });
  return (tags as Wire[]).map(({ name }) => name);
};
/** The last run of a place, once it is over. */
const over = async (uid: string, count = 1): Promise<Wire> => {
  for (let tries = 0; tries < 200; tries += 1) {
    const runs = await runsOf(uid);
    const [last] = runs;
    if (runs.length >= count && last?.["endTime"]) return last;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no run of ${uid} is over`);
};
const runAgain = async (uid: string, since = today()): Promise<void> => {
  await world.service.database.query("update retention_rules set last_run_at = $2 where uid = $1", [
    uid,
    new Date(since.getTime() - 1),
  ]);
  const { database, config } = world.service;
  await runRetention({ database, config, log: { warn: () => {} } });
};

test("a rule deletes what it says, never latest, active, moving, exempt or synced tags, and reports it", async () => {
  const repo = await tagged(
    "web",
    { latest: 90, "1.27": 90, "1.27.3": 90, "2.0.0": 90, old: 90, "keep-me": 90, young: 3, copied: 90 },
    { more: { activeTags: ["2.0.0"] } },
  );
  const mirror = await tagged("mirror", {}, { more: { sync_config: { source: repo } } });
  await world.create(owner, "tags", mirror, { name: "x", digest: sha256("web copied") });
  const rule = await set(repo, { olderThanDays: 30, exemptPatterns: ["keep-*"] });
  expect(rule).toMatchObject({
    uid: repo,
    state: "RETENTION_STATE_UNCONFIRMED",
    version: 1,
    setByName: "owner",
    sentence: "Deletes tags not updated for 30 days. Never keep-*.",
  });
  const first = await preview(repo);
  expect(first).toMatchObject({ deletions: 2, kept: 6, repos: 1, version: 1 });
  expect(
    Object.fromEntries((first["retentionDecisions"] as Wire[]).map(({ name, why }) => [name, why])),
  ).toEqual({
    latest: "latest is never deleted",
    "1.27": "Moves with newer versions",
    "1.27.3": "Not updated for 90 days",
    "2.0.0": "Active in its repo",
    old: "Not updated for 90 days",
    "keep-me": "Exempt by name",
    young: "Updated 3 days ago",
    copied: "Its image is in mirror, which is synced from here",
  });
  expect(await names(repo)).toHaveLength(8);
  await confirm(repo);
  const run = await over(repo);
  expect(run).toMatchObject({ deletions: 2, kept: 6, repos: 1, placeUid: repo, confirmedByName: "owner" });
  expect((await deletionsOf(run["uid"])).map(({ name, digest, why }) => [name, digest, why])).toEqual([
    ["1.27.3", sha256("web 1.27.3"), "Not updated for 90 days"],
    ["old", sha256("web old"), "Not updated for 90 days"],
  ]);
  expect(await names(repo)).not.toContain("old");
  expect(await ruleOf(repo)).toMatchObject({ lastRunDeletions: 2, state: "RETENTION_STATE_RUNNING" });
  const entries = await world.make(owner, "auditEntries.list", { query: { record: repo } });
  expect(
    (entries["auditEntries"] as Wire[]).map(({ action, justification }) => [action, justification]),
  ).toEqual([
    ["service.deleted", "Retention rule of web, version 1"],
    ["service.deleted", "Retention rule of web, version 1"],
    ["retentionRules.confirm", undefined],
    ["retentionRules.set", undefined],
    ["repos.create", undefined],
  ]);
  const [gone] = entries["auditEntries"];
  expect(gone).toMatchObject({ change: "deleted", record: { kind: "tags", group: folder } });
  expect(gone).not.toHaveProperty("actor");
  // It still is a name that moves, although what it moved with is gone.
  await runAgain(repo);
  expect(await names(repo)).toContain("1.27");
});

test("a page of a preview begins where the last one ended, also in the middle of a repo", async () => {
  const room = await world.create(owner, "groups", organization, { name: "pages" });
  for (const name of ["a", "b"]) await tagged(name, { x1: 90, x2: 90, x3: 1 }, { parent: room });
  await set(room, { olderThanDays: 30 });
  const seen: string[] = [];
  let token: string | undefined;
  do {
    const page = await preview(room, { page_size: "2", ...(token && { page_token: token }) });
    if (token === undefined) expect(page).toMatchObject({ deletions: 4, kept: 2, repos: 2 });
    else expect(page).not.toHaveProperty("previewToken");
    seen.push(...(page["retentionDecisions"] as Wire[]).map(({ repoName, name }) => `${repoName} ${name}`));
    token = page["nextPageToken"];
  } while (token);
  expect(seen.toSorted()).toEqual(["a x1", "a x2", "a x3", "b x1", "b x2", "b x3"]);
  const kept = await preview(room, { deleted: "false" });
  expect((kept["retentionDecisions"] as Wire[]).map(({ name }) => name)).toEqual(["x3", "x3"]);
});

test("a rule runs only after its own preview of today was confirmed, and again after each change", async () => {
  const repo = await tagged("confirmed", { old: 90 });
  await set(repo, { olderThanDays: 30 });
  const body = await confirmation(repo);
  await set(repo, { olderThanDays: 60 });
  const stale = await world.send(owner.token, "retentionRules.confirm", { uid: repo, body });
  expect([stale.status, stale.json.message]).toEqual([409, expect.stringContaining("version 2 by now")]);
  const mixed = await world.send(owner.token, "retentionRules.confirm", {
    uid: repo,
    body: { ...body, version: 2 },
  });
  expect([mixed.status, mixed.json.message]).toEqual([400, expect.stringContaining("preview it again")]);
  // Somebody else's.
  const other = await world.person("second owner");
  await world.bind(owner, folder, other.uid, "owner");
  const theirs = await world.send(owner.token, "retentionRules.confirm", {
    uid: repo,
    body: await confirmation(repo, other),
  });
  expect(theirs.status).toBe(400);
  expect(await names(repo)).toEqual(["old"]);
  await confirm(repo);
  await over(repo);
  expect(await names(repo)).toEqual([]);
  expect(await set(repo, { olderThanDays: 30 })).toMatchObject({
    state: "RETENTION_STATE_UNCONFIRMED",
    version: 3,
  });
  expect(await ruleOf(repo)).not.toHaveProperty("confirmTime");
});

test("of two who change a rule at once, the second is told", async () => {
  const repo = await tagged("at-once", {});
  await set(repo, { olderThanDays: 30 });
  const answers = await Promise.all(
    [60, 90].map((olderThanDays) =>
      world.send(owner.token, "retentionRules.set", { uid: repo, body: { olderThanDays, version: 1 } }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(await ruleOf(repo)).toMatchObject({ version: 2 });
  const body = await confirmation(repo);
  const twice = await Promise.all(
    [0, 1].map(() => world.send(owner.token, "retentionRules.confirm", { uid: repo, body })),
  );
  expect(twice.map(({ status }) => status)).toEqual([200, 200]);
});

test("the nearest rule decides alone", async () => {
  const room = await world.create(owner, "groups", organization, { name: "nearest" });
  const inner = await world.create(owner, "groups", room, { name: "inner" });
  const [outside, inside] = [
    await tagged("outside", { old: 90 }, { parent: room }),
    await tagged("inside", { old: 90 }, { parent: inner }),
  ];
  const own = await tagged("own", { old: 90 }, { parent: inner });
  await set(room, { olderThanDays: 30 });
  await set(inner, { olderThanDays: 120 });
  await set(own, { namePatterns: ["nothing"] });
  expect([await ruleOf(outside), await ruleOf(inside), await ruleOf(own)].map(({ uid }) => uid)).toEqual([
    room,
    inner,
    own,
  ]);
  await confirm(room);
  await over(room);
  expect([await names(outside), await names(inside), await names(own)]).toEqual([[], ["old"], ["old"]]);
  const listed = await world.make(owner, "retentionRules.list", { query: { "uidp.descendants_of": room } });
  expect((listed["retentionRules"] as Wire[]).map(({ uid, isRepo = false }) => [uid, isRepo])).toEqual(
    [
      [room, false],
      [inner, false],
      [own, true],
    ].toSorted(([one], [two]) => (String(one) < String(two) ? -1 : 1)),
  );
});

test("a rule stops when whoever confirmed it can no longer delete tags there", async () => {
  const repo = await tagged("lost", { old: 90 });
  const keeper = await world.person("keeper");
  const binding = await world.bind(owner, folder, keeper.uid, "owner");
  await set(repo, { olderThanDays: 120 });
  await confirm(repo, keeper);
  await over(repo);
  await world.make(owner, "roleBindings.delete", { uid: binding["uid"] });
  await age(
    (await world.make(owner, "tags.list", { query: { "uidp.children_of": repo } }))["tags"][0].uid,
    200,
  );
  await runAgain(repo);
  expect(await names(repo)).toEqual(["old"]);
  expect(await ruleOf(repo)).toMatchObject({
    state: "RETENTION_STATE_OFF",
    stopReason: "The person who confirmed it can no longer delete tags here.",
  });
  const { auditEntries } = await world.make(owner, "auditEntries.list", {
    query: { action: "service.stoppedRetention" },
  });
  expect(auditEntries).toMatchObject([{ record: { kind: "repos", uid: repo, name: "lost", group: folder } }]);
});

test("a rule that was stopped deletes nothing until it is confirmed again", async () => {
  const repo = await tagged("stopped", { old: 90 });
  await set(repo, { olderThanDays: 120 });
  await confirm(repo);
  await over(repo);
  expect(await world.make(owner, "retentionRules.stop", { uid: repo, body: {} })).toMatchObject({
    state: "RETENTION_STATE_OFF",
  });
  await world.service.database.query("update tags set updated_at = $2 where parent = $1", [
    repo,
    new Date(Date.now() - 200 * DAY),
  ]);
  await runAgain(repo);
  expect(await names(repo)).toEqual(["old"]);
  await world.make(owner, "retentionRules.delete", { uid: repo });
  expect(await ruleOf(repo)).toBeUndefined();
  expect(await runsOf(repo)).toHaveLength(1);
});

test("deleted tags are restored as they were, unless the name is taken or seven days are over", async () => {
  const repo = await tagged("undo", { one: 90, two: 90, three: 90, four: 90 });
  const [one] = (await world.make(owner, "tags.list", { query: { "uidp.children_of": repo, name: "one" } }))[
    "tags"
  ];
  await world.make(owner, "tags.create", {
    parent: repo,
    body: { name: "one", digest: one.digest, deprecated: true, bundles: ["base"] },
  });
  await age(one.uid, 90);
  await set(repo, { olderThanDays: 30 });
  await confirm(repo);
  const run = await over(repo);
  expect(await names(repo)).toEqual([]);
  const deleted = await deletionsOf(run["uid"]);
  const uidOf = (name: string): string => deleted.find((row) => row["name"] === name)!["uid"];
  await world.create(owner, "tags", repo, { name: "two", digest: sha256("other") });
  await world.service.database.query(
    "update retention_deletions set created_at = created_at - interval '7 days 1 minute' where uid = $1",
    [uidOf("three")],
  );
  const wanted = ["one", "two", "three"].map(uidOf);
  const undo = (more: Wire = {}, by = owner) =>
    world.make(by, "retentionRuns.restore", { uid: run["uid"], body: { deletionUids: wanted, ...more } });
  const outcomes = [
    { name: "one", restored: true },
    { name: "two", refusal: "The repo has a tag of this name again." },
    { name: "three", refusal: "It was deleted more than 7 days ago." },
  ];
  expect((await undo({ validateOnly: true }))["outcomes"]).toMatchObject(outcomes);
  expect(await names(repo)).toEqual(["two"]);
  expect((await undo())["outcomes"]).toMatchObject(outcomes);
  expect((await undo())["outcomes"][0]).toMatchObject({ refusal: "It was restored already." });
  const { tags } = await world.make(owner, "tags.list", { query: { "uidp.children_of": repo, name: "one" } });
  expect(tags).toMatchObject([{ digest: one.digest, deprecated: true, bundles: ["base"] }]);
  expect((await runsOf(repo))[0]).toMatchObject({ restored: 1, deletions: 4 });
  // The next run leaves it alone, although it meets the rule.
  await age(tags[0].uid, 90);
  await runAgain(repo);
  expect(await names(repo)).toEqual(["one", "two"]);
  const rows = (await preview(repo))["retentionDecisions"] as Wire[];
  expect(rows.find(({ name }) => name === "one")).toMatchObject({ why: "Restored after a run" });
});

test("a rule without any value, and one by pulls without a registry, are refused", async () => {
  const repo = await tagged("refused", {});
  const refused = async (body: Wire) => {
    const { json } = await world.send(owner.token, "retentionRules.set", { uid: repo, body });
    return json.message;
  };
  expect(await refused({ exemptPatterns: ["a"] })).toContain("every tag would be deleted");
  expect(await refused({ notPulledDays: 30 })).toContain("needs a registry");
  expect(await refused({ namePatterns: ["a,b"] })).toContain("without commas");
  expect(await refused({ olderThanDays: 0 })).toContain("must be 1 or more");
});

test("more tags than one transaction deletes are deleted once each", async () => {
  const repo = await world.create(owner, "repos", folder, { name: "many" });
  await world.service.database.query(
    `insert into tags (uid, parent, name, digest, deprecated, bundles, family, created_at, updated_at)
     select $1 || '/' || lpad(to_hex(n), 16, '0'), $1, 't' || n, $2, false, '{}', '', $3, $3 from generate_series(1, 450) n`,
    [repo, sha256("many"), new Date(Date.now() - 90 * DAY)],
  );
  await world.service.database.query("insert into tag_counts (uid, plain) values ($1, 450)", [repo]);
  await set(repo, { olderThanDays: 30, namePatterns: ["t*"] });
  await confirm(repo);
  expect(await over(repo)).toMatchObject({ deletions: 450, kept: 0 });
  const { totalCount } = await world.make(owner, "tags.list", { query: { "uidp.children_of": repo } });
  expect(totalCount).toBe("0");
});
