import { createHash, createPublicKey, verify } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { pathOf } from "platform-contract/endpoint";
import { codeName, errorInfo } from "platform-contract/status";

import { mailEndings } from "../domains/notices/ending-mails";
import { startQuarterly } from "../domains/reviews/quarterly";
import { builtInRoleUid } from "../domains/access/roles.table";
import { grantsOf } from "../platform/access/grants";
import { createHandlers } from "../platform/http/handlers";
import { createPost } from "../platform/mail/post";
import { claimMails } from "../platform/store/mail/outbox";
import { mortal } from "../testing/mortal";
import { AttackFixture } from "./attack-fixture";
import { endpointOf, fieldsOf, type Input, type Person, type Wire, type World } from "./world";

let cast: AttackFixture;
let world: World;
let owner: Person;
let organization: string;
let count = 0;

beforeAll(async () => {
  cast = await AttackFixture.open();
  ({ world, owner, organization } = cast);
});
afterAll(() => world.service.stop());

const DAY = 86_400_000;
const [OWNER, EDITOR, VIEWER] = [builtInRoleUid("owner"), builtInRoleUid("editor"), builtInRoleUid("viewer")];
const KEEP = { decision: "REVIEW_DECISION_KEEP" };
const REVOKE = { decision: "REVIEW_DECISION_REVOKE" };
const REDUCE = { decision: "REVIEW_DECISION_REDUCE", toRoleUid: VIEWER };
const bodyOf = (more: Wire = {}): Wire => ({
  title: "Review 2026-01-01",
  dueTime: new Date(Date.now() + 10 * DAY).toISOString(),
  reviewerRule: "REVIEWER_RULE_FOLDER_OWNERS",
  ...more,
});
const folderOf = (parent = organization): Promise<string> =>
  world.create(owner, "groups", parent, { name: `folder ${(count += 1)}` });
const machine = (parent: string, name = `bot-${(count += 1)}`): Promise<string> =>
  world.create(owner, "identities", parent, { name, ...world.claims(name) });
const send = (by: Person, id: string, input: Input = {}) => world.send(by.token, id, input);
const start = async (by: Person, parent: string, more: Wire = {}): Promise<string> =>
  (await world.make(by, "accessReviews.create", { parent, body: bodyOf(more) }))["uid"];
const reviewOf = (uid: string, by = owner) => world.make(by, "accessReviews.get", { uid });
async function itemsOf(review: string, by = owner, more: Record<string, string> = {}): Promise<Wire[]> {
  const query = { review, page_size: "200", ...more };
  return (await world.make(by, "accessReviewItems.list", { query }))["accessReviewItems"] ?? [];
}
/** The item of an identity. */
const itemOf = async (review: string, identity: string, by = owner): Promise<Wire> =>
  (await itemsOf(review, by)).find(({ identityUid }) => identityUid === identity)!;
const decide = (by: Person, { uid, etag }: Wire, body: Wire) =>
  send(by, "accessReviewItems.decide", { uid, body: { etag, ...body } });
/** Applies until nothing waits. */
async function applyAll(uid: string, by = owner, body: Wire = {}): Promise<Wire> {
  for (;;) {
    const review = await world.make(by, "accessReviews.apply", { uid, body });
    if (!review["pendingCount"]) return review;
  }
}
const bindingsAt = async (group: string): Promise<string[]> =>
  (
    await world.service.database.query<{ who: string; role: string }>(
      `select i.name as who, r.name as role from role_bindings b join identities i on i.uid = b.identity_uid
         join roles r on r.uid = b.role_uid where b.parent = $1 order by 1, 2`,
      [group],
    )
  ).map(({ who, role }) => `${who} ${role}`);

test("a review takes every role below, with evidence, and asks owners of folders and of machines, never oneself", async () => {
  const folder = await folderOf();
  const below = await folderOf(folder);
  const [ada, bob, carl] = [await world.person("ada"), await world.person("bob"), await world.person("carl")];
  await world.bind(owner, folder, ada.uid, "owner");
  await world.bind(owner, below, bob.uid, "editor");
  const bot = await machine(below);
  const endpoint = endpointOf("roleBindings.create");
  await world.service.call(endpoint.method, pathOf(endpoint, { parent: below }), {
    token: owner.token,
    body: { identityUid: bot, roleUid: OWNER },
    headers: { "Change-Justification": "For the release" },
  });
  await world.bind(owner, organization, carl.uid, "viewer");
  await world.make(owner, "machineOwners.set", { uid: bot, body: { ownerUid: carl.uid } });
  const made = await world.make(ada, "accessReviews.create", {
    parent: folder,
    body: bodyOf({ asksMachineOwners: true }),
  });
  expect(made).toMatchObject({
    groupUid: folder,
    reviewState: "REVIEW_STATE_OPEN",
    itemCount: 3,
    makerName: "ada",
    inheritedIncomplete: true,
    // Of the machine carl is asked, of ada's own role the owner above.
    waitingCount: 1,
  });
  const item = await itemOf(made["uid"], bot);
  expect(item).toMatchObject({
    machine: true,
    roleName: "owner",
    grantedByName: "owner",
    grantReason: "For the release",
    reviewers: [{ uid: carl.uid, name: "carl" }],
    findings: ["REVIEW_FINDING_NEVER_SEEN", "REVIEW_FINDING_STRONG_MACHINE"],
  });
  expect((await itemOf(made["uid"], bob.uid))["reviewers"]).toEqual([{ uid: ada.uid, name: "ada" }]);
  expect((await itemOf(made["uid"], ada.uid))["reviewers"]).toEqual([{ uid: owner.uid, name: "owner" }]);
  // The owner of the organization sees what is granted further up, and lists it.
  const whole = await start(owner, folder);
  const inherited = (await itemsOf(whole)).filter((one) => one["inherited"]);
  expect(inherited.map(({ identityName }) => identityName)).toEqual(["carl", "owner"]);
  expect(await itemsOf(whole, ada)).toHaveLength(3);
  expect((await decide(owner, inherited[0]!, KEEP)).status).toBe(400);
  // Of the review, carl sees only his machine, and not who granted its role below.
  const [own, ...others] = await itemsOf(made["uid"], { ...carl });
  expect([own?.["identityUid"], others.length]).toEqual([expect.any(String), 2]);
});

test("the owner of a machine without any right there sees and decides only about it", async () => {
  const folder = await folderOf();
  const other = await folderOf();
  const eve = await world.person("eve");
  await world.bind(owner, other, eve.uid, "viewer");
  const [bot, second] = [await machine(folder), await machine(folder)];
  for (const uid of [bot, second]) await world.bind(owner, folder, uid, "owner");
  await world.make(owner, "machineOwners.set", { uid: bot, body: { ownerUid: eve.uid } });
  const uid = await start(owner, folder, { asksMachineOwners: true });
  const items = await itemsOf(uid, eve);
  expect(items.map((one) => one["identityUid"])).toEqual([bot]);
  expect(items[0]).not.toHaveProperty("grantedByName");
  expect(items[0]).not.toHaveProperty("refusal");
  expect((await reviewOf(uid, eve))["waitingCount"]).toBe(1);
  const listed = await world.make(eve, "accessReviews.list", { query: { waiting: "true" } });
  expect(listed["accessReviews"].map((one: Wire) => one["uid"])).toEqual([uid]);
  expect((await decide(eve, items[0]!, REDUCE)).json).toMatchObject({ toRoleName: "viewer", etag: "2" });
  expect((await decide(eve, await itemOf(uid, second), KEEP)).status).toBe(403);
  for (const id of ["accessReviews.apply", "accessReviews.close"])
    expect((await send(eve, id, { uid, body: {} })).status).toBe(403);
  expect((await send(eve, "accessReviews.delete", { uid })).status).toBe(403);
  // Nobody outside sees or decides anything.
  for (const by of [cast.stranger, cast.outsider]) {
    expect((await send(by, "accessReviews.get", { uid })).status).toBe(403);
    expect(await itemsOf(uid, by)).toEqual([]);
    expect((await decide(by, items[0]!, KEEP)).status).toBe(403);
  }
});

test("nobody decides about their own access, gives more than there was, or decides with half a permission", async () => {
  const folder = await folderOf();
  const ada = await world.person(`ada ${count}`);
  await world.bind(owner, folder, ada.uid, "owner");
  const bot = await machine(folder);
  await world.bind(owner, folder, bot, "viewer");
  const uid = await start(ada, folder);
  const own = await itemOf(uid, ada.uid, ada);
  expect(own["refusal"]).toBe("This is your own access: somebody else has to decide about it");
  expect(codeName((await decide(ada, own, KEEP)).json.code)).toBe("FAILED_PRECONDITION");
  expect((await decide(owner, own, KEEP)).status).toBe(200);
  const item = await itemOf(uid, bot);
  for (const toRoleUid of [OWNER, EDITOR, VIEWER, "0".repeat(40), undefined])
    expect(fieldsOf(await decide(ada, item, { ...REDUCE, toRoleUid }))).toEqual(["toRoleUid"]);
  expect(fieldsOf(await decide(ada, item, { ...KEEP, toRoleUid: VIEWER }))).toEqual(["toRoleUid"]);
  expect(fieldsOf(await send(ada, "accessReviewItems.decide", { uid: item["uid"], body: KEEP }))).toEqual([
    "etag",
  ]);
  const reader = await world.holder(owner, `reader ${count}`, ["role_bindings.list"], folder);
  const [half] = await itemsOf(uid, reader);
  expect(half?.["refusal"]).toBe("You cannot remove role bindings here");
  expect((await decide(reader, item, REVOKE)).status).toBe(403);
  for (const id of ["accessReviews.apply", "accessReviews.close"])
    expect((await send(reader, id, { uid, body: {} })).status).toBe(403);
  expect((await send(reader, "accessReviews.create", { parent: folder, body: bodyOf() })).status).toBe(403);
});

test("what is wrong with a review is said", async () => {
  const folder = await folderOf();
  const post = (more: Wire) => send(owner, "accessReviews.create", { parent: folder, body: bodyOf(more) });
  expect(fieldsOf(await post({ dueTime: new Date(Date.now() - DAY).toISOString(), title: " " }))).toContain(
    "title",
  );
  expect(fieldsOf(await post({ dueTime: new Date(Date.now() - DAY).toISOString() }))).toEqual(["dueTime"]);
  expect(fieldsOf(await post({ reviewerRule: "REVIEWER_RULE_NAMED" }))).toEqual(["reviewerUids"]);
  for (const uid of [cast.stranger.uid, await machine(folder)])
    expect(fieldsOf(await post({ reviewerRule: "REVIEWER_RULE_NAMED", reviewerUids: [uid] }))).toEqual([
      "reviewerUids[0]",
    ]);
  const uid = await start(owner, folder, { reviewerRule: "REVIEWER_RULE_NAMED", reviewerUids: [owner.uid] });
  const body = {
    title: "Other",
    dueTime: new Date(Date.now() + 20 * DAY).toISOString(),
    repetition: "REVIEW_REPETITION_QUARTERLY",
  };
  expect(await world.make(owner, "accessReviews.update", { uid, body })).toMatchObject(body);
  await world.make(owner, "accessReviews.close", { uid, body: {} });
  expect((await send(owner, "accessReviews.update", { uid, body: { ...body, title: "New" } })).status).toBe(
    400,
  );
  expect(
    await world.make(owner, "accessReviews.update", {
      uid,
      body: { ...body, repetition: "REVIEW_REPETITION_NONE" },
    }),
  ).not.toHaveProperty("nextTime");
  expect((await send(owner, "accessReviews.apply", { uid, body: {} })).status).toBe(400);
  await world.make(owner, "accessReviews.delete", { uid });
  expect((await send(owner, "accessReviews.get", { uid })).status).toBe(404);
});

test("of two reviewers at once one is told what the other decided, and 200 decisions at random lose none", async () => {
  const folder = await folderOf();
  const ada = await world.person(`ada ${count}`);
  await world.bind(owner, folder, ada.uid, "owner");
  for (let bot = 0; bot < 20; bot += 1) await world.bind(owner, folder, await machine(folder), "owner");
  const uid = await start(owner, folder);
  const items = (await itemsOf(uid)).filter((one) => one["machine"]);
  const both = await Promise.all([decide(ada, items[0]!, KEEP), decide(owner, items[0]!, REVOKE)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const lost = both.find(({ status }) => status === 409)!;
  expect(codeName(lost.json.code)).toBe("ABORTED");
  expect(lost.json["message"]).toMatch(
    /^Aborted: (?:ada \d+ decided to keep it|owner decided to revoke it) after/,
  );
  expect(errorInfo(lost.json)?.metadata).toMatchObject({ etag: "2" });
  // What each was told is stored: decisions that were taken count up one by one.
  const etags = new Map(items.map((one) => [one["uid"], 1]));
  etags.set(items[0]!["uid"], 2);
  const taken = new Map<string, Wire[]>();
  const known = new Map<string, string>([...etags].map(([one, etag]) => [one, String(etag)]));
  const random = (most: number) => Math.floor(Math.random() * most);
  const work = async (by: Person) => {
    for (let step = 0; step < 25; step += 1) {
      const one = items[random(items.length)]!["uid"];
      const body = [KEEP, REVOKE, REDUCE, {}][random(4)]!;
      const note = `note ${random(1_000_000)}`;
      const answer = await decide(by, { uid: one, etag: known.get(one) }, { ...body, note });
      if (answer.status === 200) {
        taken.set(one, [...(taken.get(one) ?? []), answer.json]);
        known.set(one, String(answer.json["etag"]));
      } else {
        expect(codeName(answer.json.code)).toBe("ABORTED");
        known.set(one, errorInfo(answer.json)!.metadata!["etag"]!);
      }
    }
  };
  await Promise.all([ada, owner, ada, owner, ada, owner, ada, owner].map(work));
  for (const item of (await itemsOf(uid)).filter((one) => one["machine"])) {
    const all = (taken.get(item["uid"]) ?? []).toSorted((a, b) => Number(a["etag"]) - Number(b["etag"]));
    const first = etags.get(item["uid"])!;
    // None was overwritten unseen: each etag was given once, without a gap.
    expect(all.map((one) => Number(one["etag"]))).toEqual(all.map((_, index) => first + 1 + index));
    const last = all.at(-1);
    if (last)
      expect([item["etag"], item["note"], item["decision"]]).toEqual([
        last["etag"],
        last["note"],
        last["decision"],
      ]);
  }
});

test("decisions are applied with the rights of who applies, each with its reason, and what changed since stays", async () => {
  const folder = await folderOf();
  const names = ["keep", "revoke", "reduce", "both", "gone", "changed", "undecided"];
  const bots = new Map<string, string>();
  for (const name of names) {
    const bot = await machine(folder, `${name}-${(count += 1)}`);
    bots.set(name, bot);
    await world.bind(owner, folder, bot, "owner");
  }
  await world.bind(owner, folder, bots.get("both")!, "viewer");
  const uid = await start(owner, folder);
  const items = await itemsOf(uid);
  const of = (name: string) =>
    items.find((one) => one["identityUid"] === bots.get(name) && one["roleUid"] === OWNER)!;
  await decide(owner, of("keep"), KEEP);
  await decide(owner, of("revoke"), { ...REVOKE, note: "Left the team" });
  for (const name of ["reduce", "both", "changed"]) await decide(owner, of(name), REDUCE);
  await decide(owner, of("gone"), REVOKE);
  await world.make(owner, "roleBindings.delete", { uid: of("gone")["bindingUid"] });
  await world.make(owner, "roleBindings.update", {
    uid: of("changed")["bindingUid"],
    body: { roleUid: EDITOR },
  });
  const endpoint = endpointOf("accessReviews.apply");
  const { json } = await world.service.call(endpoint.method, pathOf(endpoint, { uid }), {
    token: owner.token,
    body: {},
    headers: { "Change-Justification": "Quarterly%20review" },
  });
  expect(json).toMatchObject({ reviewState: "REVIEW_STATE_APPLYING", changeCount: 5 });
  expect(json).toMatchObject({ refusedCount: 0, pendingCount: 0 });
  const results = new Map(
    (await itemsOf(uid)).map((one) => [
      `${one["identityName"]}`.replace(/-\d+$/, "") + one["roleName"],
      one["result"],
    ]),
  );
  expect(Object.fromEntries(results)).toMatchObject({
    keepowner: undefined,
    revokeowner: "REVIEW_RESULT_APPLIED",
    reduceowner: "REVIEW_RESULT_APPLIED",
    bothowner: "REVIEW_RESULT_APPLIED",
    goneowner: "REVIEW_RESULT_GONE",
    changedowner: "REVIEW_RESULT_CHANGED",
    undecidedowner: undefined,
  });
  expect((await bindingsAt(folder)).map((one) => one.replace(/-\d+/, ""))).toEqual([
    "both viewer",
    "changed editor",
    "keep owner",
    "reduce viewer",
    "undecided owner",
  ]);
  expect((await decide(owner, of("undecided"), KEEP)).status).toBe(400);
  const { auditEntries } = await world.make(owner, "auditEntries.list", {
    query: { record: of("revoke")["bindingUid"], order_by: "created_at desc" },
  });
  expect(auditEntries[0]).toMatchObject({
    action: "roleBindings.delete",
    actor: { uid: owner.uid },
    justification: `Left the team (access review ${uid})`,
  });
  expect(auditEntries[1]).toMatchObject({
    action: "accessReviewItems.decide",
    changes: expect.arrayContaining([{ field: "note", after: '"Left the team"' }]),
  });
  const reduced = await world.make(owner, "auditEntries.list", {
    query: { record: of("reduce")["bindingUid"], action: "roleBindings.update" },
  });
  expect(reduced["auditEntries"][0]["justification"]).toBe(`Quarterly review (access review ${uid})`);
});

test("guard rails, missing rights and the last owner refuse a change in words, which can be tried again", async () => {
  const group = await world.create(owner, "groups", "", { name: `org ${(count += 1)}` });
  const bot = await machine(group);
  await world.bind(owner, group, bot, "owner");
  const ada = await world.person(`ada ${count}`);
  await world.bind(owner, group, ada.uid, "owner");
  const uid = await start(owner, group);
  for (const item of await itemsOf(uid)) {
    const by = item["identityUid"] === owner.uid ? ada : owner;
    expect((await decide(by, item, { ...REDUCE, note: "Too much" })).status).toBe(200);
  }
  const rail = await world.create(owner, "guardRails", group, {
    kind: "GUARD_RAIL_KIND_END_REQUIRED",
    mode: "GUARD_RAIL_MODE_REFUSE",
    roles: [VIEWER],
    maxDays: 10,
  });
  expect(await applyAll(uid)).toMatchObject({ refusedCount: 3 });
  expect(await bindingsAt(group)).toHaveLength(3);
  await world.make(owner, "guardRails.delete", { uid: rail });
  // A guard rail that wants a reason is not content with that of the service.
  const silent = await start(owner, group);
  const own = (await itemsOf(silent)).find((one) => one["identityUid"] === bot)!;
  await decide(owner, own, REDUCE);
  const wants = { kind: "GUARD_RAIL_KIND_REASON_REQUIRED", mode: "GUARD_RAIL_MODE_REFUSE" };
  const asks = await world.create(owner, "guardRails", group, wants);
  expect(await applyAll(silent)).toMatchObject({ refusedCount: 1 });
  await world.make(owner, "guardRails.delete", { uid: asks });
  // One owner is left, and the change of their role is refused.
  const remover = await world.holder(
    owner,
    `remover ${count}`,
    ["role_bindings.list", "role_bindings.delete"],
    group,
  );
  expect(await applyAll(uid, remover, {})).toMatchObject({ refusedCount: 3 });
  const half = await world.make(remover, "accessReviews.apply", { uid, body: { retriesRefused: true } });
  expect(half).toMatchObject({ refusedCount: 3 });
  expect((await itemsOf(uid))[0]!["resultMessage"]).toContain("Permission denied");
  const last = await world.make(owner, "accessReviews.apply", { uid, body: { retriesRefused: true } });
  expect(last).toMatchObject({ refusedCount: 1 });
  expect((await itemsOf(uid)).find((one) => one["result"] === "REVIEW_RESULT_REFUSED")).toMatchObject({
    identityUid: owner.uid,
    resultMessage: expect.stringContaining("no owner"),
  });
});

test("killed before each of its writes, an application goes on and does each change once", async () => {
  const folder = await folderOf();
  for (let bot = 0; bot < 3; bot += 1) await world.bind(owner, folder, await machine(folder), "editor");
  const uid = await start(owner, folder);
  for (const item of await itemsOf(uid)) if (!item["inherited"]) await decide(owner, item, REVOKE);
  const { config, database } = world.service;
  const grants = await grantsOf(database, [owner.uid]);
  const caller = { issuer: config.issuer, subject: "owner", key: "owner", identities: [owner.uid], grants };
  let kills = 0;
  for (let writes = 0; ; writes += 1) {
    const dying = Object.assign(mortal(database), {});
    dying.writes = writes;
    const handlers = createHandlers({ config, database: dying });
    const call = { caller, path: { uid, parent: "" }, query: {}, body: {}, unread: [] };
    try {
      await handlers.get("accessReviews.apply")!(call);
      break;
    } catch (error) {
      expect(String(error)).toContain("killed");
      kills += 1;
    }
    const items = (await itemsOf(uid)).filter((one) => !one["inherited"]);
    // What is applied is gone, and what is gone is applied.
    const left = await bindingsAt(folder);
    expect(items.filter((one) => one["result"] === "REVIEW_RESULT_APPLIED")).toHaveLength(3 - left.length);
  }
  expect(kills).toBeGreaterThan(3);
  expect(await bindingsAt(folder)).toEqual([]);
  expect((await itemsOf(uid)).some((one) => one["result"] === "REVIEW_RESULT_GONE")).toBe(false);
});

test("the report is canonical, hashed and signed, and needs the rights wherever its rows were granted", async () => {
  const folder = await folderOf();
  const ada = await world.person(`ada ${count}`);
  await world.bind(owner, folder, ada.uid, "owner");
  const uid = await start(owner, folder);
  expect((await send(owner, "accessReviews.getReport", { uid })).status).toBe(404);
  const { digest } = await world.make(owner, "accessReviews.close", { uid, body: {} });
  const { report, signature, ...rest } = await world.make(owner, "accessReviews.getReport", { uid });
  expect(rest).toEqual({ digest });
  expect(digest).toBe(`sha256:${createHash("sha256").update(report).digest("hex")}`);
  const [head, body, end] = signature.split(".");
  const claims = JSON.parse(Buffer.from(body, "base64url").toString());
  expect(claims).toMatchObject({ group: folder, review: uid, digest, sub: owner.uid });
  const { json } = await world.service.call("GET", "/snapshots/v1/jwks.json", {});
  const key = createPublicKey({ key: (json["keys"] as Wire[])[0]!, format: "jwk" });
  const bytes = Buffer.from(`${head}.${body}`);
  expect(verify("sha256", bytes, { key, dsaEncoding: "ieee-p1363" }, Buffer.from(end, "base64url"))).toBe(
    true,
  );
  const read = JSON.parse(report);
  expect(read).toMatchObject({ format: "platform-access-review", review: { uid, closedByName: "owner" } });
  expect(read.items.map((one: Wire) => one["identityName"])).toContain("owner");
  // Ada cannot list role bindings of the organization, and the report has some.
  expect((await send(ada, "accessReviews.getReport", { uid })).status).toBe(403);
  const own = await start(ada, folder);
  await world.make(ada, "accessReviews.close", { uid: own, body: {} });
  expect((await send(ada, "accessReviews.getReport", { uid: own })).status).toBe(200);
});

const at = async <T>(time: number, work: () => Promise<T>): Promise<T> => {
  vi.useFakeTimers({ now: time, toFake: ["Date"] });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
};

test("it starts again after three months, once, while its maker has the rights", async () => {
  const folder = await folderOf();
  const ada = await world.person(`ada ${count}`);
  const { uid: role } = await world.bind(owner, folder, ada.uid, "owner");
  const uid = await start(ada, folder, { repetition: "REVIEW_REPETITION_QUARTERLY" });
  const { database } = world.service;
  const warned: unknown[] = [];
  const log = { warn: (...what: unknown[]) => void warned.push(what) };
  const run = () => Promise.all([startQuarterly({ database, log }), startQuarterly({ database, log })]);
  const listed = async (): Promise<Wire[]> =>
    (await world.make(owner, "accessReviews.list", { query: { "uidp.descendants_of": folder } }))[
      "accessReviews"
    ];
  const begun = Date.now();
  await at(begun + 80 * DAY, run);
  expect(await listed()).toHaveLength(1);
  await at(begun + 93 * DAY, run);
  const [next, first, ...more] = await listed();
  expect(more).toEqual([]);
  expect(first).toMatchObject({ uid, repetition: "REVIEW_REPETITION_QUARTERLY" });
  expect(first).not.toHaveProperty("nextTime");
  const day = new Date(begun + 93 * DAY).toISOString().slice(0, 10);
  expect(next).toMatchObject({
    title: `Review ${day}`,
    makerUid: ada.uid,
    repetition: "REVIEW_REPETITION_QUARTERLY",
    itemCount: 1,
  });
  expect(Math.round((Date.parse(next!["dueTime"]) - begun) / DAY)).toBe(103);
  await world.make(owner, "roleBindings.delete", { uid: role });
  await at(begun + 200 * DAY, run);
  expect(await listed()).toHaveLength(2);
  expect((await listed())[0]!["notRepeated"]).toMatch(/^Whoever made this review/);
  expect(warned).toHaveLength(1);
});

test("reviewers are mailed 7 days and one day before it is due, and once when it is", async () => {
  const folder = await folderOf();
  const gus = await world.person("gus");
  await world.bind(owner, folder, gus.uid, "owner");
  const bot = await machine(folder);
  await world.bind(owner, folder, bot, "viewer");
  const { database } = world.service;
  await database.query(
    `insert into accounts (subject, email, name, password, email_verified_at, created_at, updated_at)
     values ('gus', 'gus@example.com', '', 'x', now(), now(), now())`,
  );
  await database.query("update identities set email_unverified = 'gus@example.com' where uid = $1", [
    gus.uid,
  ]);
  const uid = await start(owner, folder);
  const begun = Date.now();
  const post = createPost(() => {});
  const mailed = (days: number): Promise<number> =>
    at(begun + days * DAY, async () => {
      await mailEndings({ database, post });
      const mails = await claimMails(database, { most: 10, lease: 1000 });
      await database.query("delete from mail_outbox");
      return mails.filter(({ address }) => address === "gus@example.com").length;
    });
  const endings = async () => ((await world.make(gus, "endings.own"))["endings"] ?? []) as Wire[];
  expect(await endings()).toMatchObject([{ topic: "NOTICE_TOPIC_REVIEWS", uid, name: "Review 2026-01-01" }]);
  expect([
    await mailed(2),
    await mailed(3.1),
    await mailed(3.2),
    await mailed(9.1),
    await mailed(10.2),
  ]).toEqual([0, 1, 0, 1, 1]);
  expect([await mailed(11.5), await mailed(13)]).toEqual([0, 0]);
  await decide(gus, await itemOf(uid, bot, gus), KEEP);
  expect(await endings()).toEqual([]);
});

test("2,000 role bindings start within seconds and come in pages", async () => {
  const folder = await folderOf();
  await world.service.database.query(
    `insert into identities (uid, parent, name, relationship, definition, issuer, subject, created_at, updated_at)
     select $1 || '/' || lpad(to_hex(i), 16, '0'), $1, 'bulk-' || i, 'claimMatch', '{}', 'https://bulk.example', i::text, now(), now()
       from generate_series(1, 2000) i`,
    [folder],
  );
  await world.service.database.query(
    `insert into role_bindings (uid, parent, identity_uid, role_uid, created_at, updated_at)
     select $1 || '/' || lpad(to_hex(i + 100000), 16, '0'), $1, $1 || '/' || lpad(to_hex(i), 16, '0'), $2, now(), now()
       from generate_series(1, 2000) i`,
    [folder, VIEWER],
  );
  const begun = performance.now();
  const uid = await start(owner, folder);
  const took = performance.now() - begun;
  console.log(`2,000 role bindings: started in ${Math.round(took)} ms`);
  expect(took).toBeLessThan(8_000);
  const seen = new Set<string>();
  let token: string | undefined;
  do {
    const query = { review: uid, page_size: "200", ...(token && { page_token: token }) };
    const page = await world.make(owner, "accessReviewItems.list", { query });
    for (const item of page["accessReviewItems"]) if (!item["inherited"]) seen.add(item["identityUid"]);
    token = page["nextPageToken"];
  } while (token);
  expect(seen.size).toBe(2_000);
});
