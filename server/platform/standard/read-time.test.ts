import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setTimeout as sleep } from "node:timers/promises";

import { errorInfo, preconditionViolations } from "platform-contract/status";

import { AttackFixture } from "../../conformance/attack-fixture";
import { fieldsOf, type Person, type Wire, type World } from "../../conformance/world";
import { builtInRoleUid } from "../../domains/access/roles.table";
import { Changing } from "../../durability/moments";
import { sweepAudit, unlogged } from "../store/audit";

let cast: AttackFixture;
let world: World;
let owner: Person;
let organization: string;
/** A folder, with a repo and its tag, that was there at the moment and is gone. */
let gone: Readonly<Record<"folder" | "repo" | "tag" | "machine" | "role" | "binding", string>>;
let moment: string;

const COLLECTIONS = ["groups", "identities", "roles", "roleBindings", "repos", "tags"];

/** A time after everything that was done before, and before everything that is done later. */
async function now(): Promise<string> {
  await sleep(2);
  const time = new Date().toISOString();
  await sleep(2);
  return time;
}

const list = (by: Person, collection: string, time: string, query: Wire = {}) =>
  world.send(by.token, `${collection}.list`, {
    query: { "uidp.descendants_of": organization, ...query, read_time: time },
  });
const get = (by: Person, collection: string, time: string, uid: string) =>
  world.send(by.token, `${collection}.get`, { uid, query: { read_time: time } });
const uidsIn = (rows: unknown = []) => (rows as Wire[]).map(({ uid }) => String(uid));

beforeAll(async () => {
  cast = await AttackFixture.open();
  ({ world, owner, organization } = cast);
  const folder = await world.create(owner, "groups", organization, { name: "gone folder" });
  const repo = await world.create(owner, "repos", folder, { name: "gone-repo" });
  const digest = `sha256:${"a".repeat(64)}`;
  const tag = await world.create(owner, "tags", repo, { name: "latest", digest });
  const role = await world.create(owner, "roles", folder, { name: "gone role", capabilities: ["repo.list"] });
  const machine = await world.create(owner, "identities", folder, {
    name: "gone machine",
    ...world.claims("gone"),
  });
  const { uid: binding } = await world.bind(owner, folder, machine, role);
  gone = { folder, repo, tag, machine, role, binding: String(binding) };
  const stays = await world.create(owner, "repos", organization, { name: "stays" });
  await world.create(owner, "repos", organization, { name: "stays-too" });
  for (const name of ["one", "two"]) {
    const made = await world.create(owner, "identities", organization, { name, ...world.claims(name) });
    await world.create(owner, "roles", organization, { name: `${name} role`, capabilities: ["repo.list"] });
    await world.bind(owner, organization, made, "viewer");
    await world.create(owner, "tags", stays, { name, digest });
  }
  moment = await now();
  await world.make(owner, "tags.delete", { uid: tag });
  await world.make(owner, "repos.delete", { uid: repo });
  await world.make(owner, "identities.delete", { uid: machine });
  await world.make(owner, "roles.delete", { uid: role });
  await world.make(owner, "groups.delete", { uid: folder });
});
afterAll(() => world.service.stop());

const OF: readonly (readonly [collection: string, key: keyof typeof gone])[] = [
  ["groups", "folder"],
  ["repos", "repo"],
  ["tags", "tag"],
  ["identities", "machine"],
  ["roles", "role"],
  ["roleBindings", "binding"],
];

test("as of a moment the API answers what it answered then, byte for byte", async () => {
  const changing = await Changing.open(world, 1);
  await changing.run(60);
  expect(await changing.compare(20)).toBeGreaterThan(200);
  // Pairs in both directions, page by page.
  expect(await changing.contrast(12)).toBeGreaterThan(100);
});

test.each(OF)("of %s, what is gone was there, and is not now", async (collection, key) => {
  const then = await list(owner, collection, moment);
  expect(uidsIn(then.json[collection])).toContain(gone[key]);
  expect((await get(owner, collection, moment, gone[key])).json["uid"]).toBe(gone[key]);
  const today = await list(owner, collection, await now());
  expect(uidsIn(today.json[collection])).not.toContain(gone[key]);
  expect((await get(owner, collection, await now(), gone[key])).status).toBe(404);
});

test("a change counts from the time of its entry on, and not a millisecond before", async () => {
  const uid = await world.create(owner, "groups", organization, { name: "before" });
  await now();
  await world.make(owner, "groups.update", { uid, body: { name: "after it" } });
  const { auditEntries } = await world.make(owner, "auditEntries.list", {
    query: { record: uid, order_by: "created_at desc", page_size: "1" },
  });
  const at = String(auditEntries[0]["createTime"]);
  expect((await get(owner, "groups", at, uid)).json["name"]).toBe("after it");
  const earlier = new Date(Date.parse(at) - 1).toISOString();
  expect((await get(owner, "groups", earlier, uid)).json["name"]).toBe("before");
});

test("when somebody was last seen is left out, and nothing is ordered by it", async () => {
  const time = await now();
  const identities = (await list(owner, "identities", time)).json["identities"] as Wire[];
  expect(identities.length).toBeGreaterThan(0);
  for (const one of identities) expect(one).not.toHaveProperty("lastSeenTime");
  expect(fieldsOf(await list(owner, "identities", time, { order_by: "last_seen_time" }))).toEqual([
    "order_by",
  ]);
});

test.each(COLLECTIONS)(
  "of %s, the future, no time, and a token of another time are refused",
  async (collection) => {
    const query = { page_size: "1", includeDates: "true" };
    for (const time of ["2999-01-01T00:00:00Z", "yesterday", "2026-02-31T00:00:00Z"])
      expect(fieldsOf(await list(owner, collection, time, query))).toEqual(["read_time"]);
    const [first, second] = [await now(), await now()];
    const page = (await list(owner, collection, first, query)).json;
    const token = String(page["nextPageToken"]);
    expect(token).not.toBe("undefined");
    const next = (await list(owner, collection, first, { ...query, page_token: token })).json;
    expect(uidsIn(next[collection])).not.toEqual(uidsIn(page[collection]));
    expect(fieldsOf(await list(owner, collection, second, { ...query, page_token: token }))).toEqual([
      "page_token",
    ]);
    const untimed = { "uidp.descendants_of": organization, ...query, page_token: token };
    expect(fieldsOf(await world.send(owner.token, `${collection}.list`, { query: untimed }))).toEqual([
      "page_token",
    ]);
  },
);

describe("compared with another time", () => {
  test("what was there at either is listed, with what happened to it in between", async () => {
    const digests = ["a", "b"].map((digit) => `sha256:${digit.repeat(64)}`);
    const repo = await world.create(owner, "repos", organization, { name: "compared" });
    const tag = (name: string, digest = digests[0]) => world.create(owner, "tags", repo, { name, digest });
    const [kept, moved, dropped] = [await tag("kept"), await tag("moved"), await tag("dropped")];
    const before = await now();
    await tag("moved", digests[1]);
    await world.make(owner, "tags.delete", { uid: dropped });
    const added = await tag("added");
    const after = await now();
    const differences = [
      { uid: added, change: "RECORD_CHANGE_CREATED" },
      { uid: dropped, change: "RECORD_CHANGE_DELETED" },
      { uid: moved, change: "RECORD_CHANGE_UPDATED", fields: ["digest"] },
    ];
    for (const [time, compare_time, digest] of [
      [before, after, digests[0]],
      [after, before, digests[1]],
    ] as const) {
      const query = { "uidp.descendants_of": repo, order_by: "name", compare_time };
      const { json } = await list(owner, "tags", time, query);
      expect(uidsIn(json["tags"])).toEqual([added, dropped, kept, moved]);
      expect((json["tags"] as Wire[])[3]?.["digest"]).toBe(digest);
      expect(json["differences"]).toEqual(differences);
      expect(json["totalCount"]).toBe("4");
    }
    // What no longer passes a filter is still there.
    const filtered = { "uidp.descendants_of": repo, digest: digests[0], compare_time: after };
    expect((await list(owner, "tags", before, filtered)).json["differences"]).toContainEqual(differences[2]);
    const same = await list(owner, "tags", after, { "uidp.descendants_of": repo, compare_time: after });
    expect(same.json["differences"]).toBeUndefined();
  });

  test("who was in the list by a role binding that others have now is there, too", async () => {
    const [first, second] = [await world.person("first holder"), await world.person("second holder")];
    const { uid } = await world.bind(owner, organization, first.uid, "viewer");
    const before = await now();
    await world.make(owner, "roleBindings.update", { uid, body: { identityUid: second.uid } });
    const query = { read_time: before, compare_time: await now(), page_size: "200" };
    const { json } = await world.send(owner.token, "identities.list", { query });
    expect(json["differences"]).toEqual(
      expect.arrayContaining([
        { uid: first.uid, change: "RECORD_CHANGE_DELETED" },
        { uid: second.uid, change: "RECORD_CHANGE_CREATED" },
      ]),
    );
  });

  test("it needs a time to compare, both known and not in the future, and the rights of both", async () => {
    const time = await now();
    for (const compare_time of ["2999-01-01T00:00:00Z", "yesterday"])
      expect(fieldsOf(await list(owner, "tags", time, { compare_time }))).toEqual(["compare_time"]);
    const alone = { "uidp.descendants_of": organization, compare_time: time };
    expect(fieldsOf(await world.send(owner.token, "tags.list", { query: alone }))).toEqual(["compare_time"]);
    const unknown = await list(owner, "tags", time, { compare_time: "2020-01-01T00:00:00Z" });
    expect(preconditionViolations(unknown.json)[0]?.type).toBe("READ_TIME_UNKNOWN");
    for (const by of [cast.outsider, cast.stranger])
      expect((await list(by, "tags", time, { compare_time: moment })).status).toBe(403);
    const query = { page_size: "1", includeDates: "true" };
    const { json } = await list(owner, "repos", time, { ...query, compare_time: moment });
    const page_token = String(json["nextPageToken"]);
    const other = await list(owner, "repos", time, { ...query, compare_time: time, page_token });
    expect(fieldsOf(other)).toEqual(["page_token"]);
  });
});

describe("rights", () => {
  const AUDIT = "role_bindings.list";
  const LISTS: Readonly<Record<string, string>> = {
    groups: "groups.list",
    identities: "identity.list",
    roles: "roles.list",
    roleBindings: "role_bindings.list",
    repos: "repo.list",
    tags: "tag.list",
  };

  test("forty and more hostile reads by people who lack one of the two rights tell nothing", async () => {
    let attempts = 0;
    const secrets = /gone/;
    for (const [collection, key] of OF) {
      const capability = LISTS[collection]!;
      const without = (lacked: string) => Object.values(LISTS).filter((one) => one !== lacked);
      const lister = await world.holder(owner, `lists ${collection}`, without(AUDIT), organization);
      const reader = await world.holder(owner, `reads ${collection}`, without(capability), organization);
      for (const by of [lister, reader, cast.outsider, cast.stranger]) {
        const answers = [
          await get(by, collection, moment, gone[key]),
          await list(by, collection, moment),
          await list(by, collection, moment, { "uidp.children_of": organization }),
          await world.send(by.token, `${collection}.list`, {
            query: { read_time: moment, "uidp.ids": gone[key] },
          }),
        ];
        for (const answer of answers) {
          attempts += 1;
          const text = answer.bytes.toString();
          expect([collection, answer.status, answer.status === 403 ? "" : text]).toEqual([
            collection,
            403,
            "",
          ]);
          expect(text).not.toMatch(secrets);
          expect(errorInfo(answer.json)?.reason).toBe("PERMISSION_DENIED");
        }
      }
    }
    expect(attempts).toBe(OF.length * 16);
  });

  test("a person limited to a folder sees that folder only, in the past too", async () => {
    const inside = await world.create(owner, "groups", organization, { name: "inside" });
    await world.create(owner, "repos", inside, { name: "inside-repo" });
    const limited = await world.holder(owner, "limited", Object.values(LISTS), inside);
    const time = await now();
    const repos = (await list(limited, "repos", time)).json["repos"] as Wire[];
    expect(repos.map(({ name }) => name)).toEqual(["inside-repo"]);
    for (const collection of COLLECTIONS) {
      const { json, status } = await list(limited, collection, time);
      expect(status).toBe(200);
      for (const uid of uidsIn(json[collection]))
        expect(uid.startsWith(inside) || !uid.includes("/")).toBe(true);
    }
    expect((await list(limited, "groups", moment)).json["groups"] ?? []).toEqual([]);
    expect((await get(limited, "groups", moment, gone.folder)).status).toBe(403);
    expect(
      (
        await world.send(limited.token, "groups.list", {
          query: { read_time: moment, "uidp.children_of": cast.sibling },
        })
      ).status,
    ).toBe(403);
  });

  test("people are seen by the role bindings of then", async () => {
    const guest = await world.person("guest");
    const before = await now();
    const { uid } = await world.bind(owner, organization, guest.uid, "viewer");
    const bound = await now();
    await world.make(owner, "roleBindings.delete", { uid });
    const after = await now();
    const people = async (time: string) =>
      uidsIn(
        (await world.send(owner.token, "identities.list", { query: { read_time: time, page_size: "200" } }))
          .json["identities"],
      );
    expect(await people(before)).not.toContain(guest.uid);
    expect(await people(bound)).toContain(guest.uid);
    expect(await people(after)).not.toContain(guest.uid);
    expect((await get(owner, "identities", bound, guest.uid)).status).toBe(200);
    for (const time of [before, after])
      expect((await get(owner, "identities", time, guest.uid)).status).toBe(403);
    expect((await get(owner, "roles", bound, builtInRoleUid("viewer"))).json["name"]).toBe("viewer");
  });
});

describe("what is unknown", () => {
  const unknownBefore = async (time: string, by = owner, scope = organization): Promise<number> => {
    for (const collection of COLLECTIONS) {
      const answer = await list(by, collection, time, { "uidp.descendants_of": scope });
      expect([collection, answer.status]).toEqual([collection, 400]);
      expect(preconditionViolations(answer.json)[0]?.type).toBe("READ_TIME_UNKNOWN");
    }
    const answer = await get(by, "groups", time, scope);
    return Date.parse(errorInfo(answer.json)?.metadata?.["knownSince"] ?? "");
  };

  test("before the log began nothing is answered, and it says when that was", async () => {
    const since = await unknownBefore("2020-01-01T00:00:00Z");
    expect(since).toBeGreaterThan(Date.parse("2020-01-01T00:00:00Z"));
    expect(since).toBeLessThanOrEqual(Date.parse(moment));
    expect((await get(owner, "groups", new Date(since).toISOString(), organization)).status).not.toBe(400);
  });

  test("what a command wrote with times of its own makes unknown what was before, in its organization only", async () => {
    const other = await world.create(owner, "groups", "", { name: "written into" });
    await world.create(owner, "groups", other, { name: "below it" });
    const guest = await world.person("guest of it");
    await world.bind(owner, other, guest.uid, "viewer");
    const before = await now();
    await world.service.database.transaction(async (queries) => {
      await unlogged(queries);
      // Two rows of one organization in one statement.
      await queries.query("update groups set description = 'imported' where left(uid, 40) = $1", [other]);
    });
    expect(await unknownBefore(before, owner, other)).toBeGreaterThan(Date.parse(before));
    expect((await list(owner, "groups", before)).status).toBe(200);
    // Whether somebody was seen by what is unknown is not known.
    const seen = await get(owner, "identities", before, guest.uid);
    expect(preconditionViolations(seen.json)[0]?.subject).toBe(other);
    const { json } = await get(owner, "groups", await now(), other);
    expect(json["description"]).toBe("imported");
    // Without a scope, the rest is answered, and what is missing is said.
    for (const collection of COLLECTIONS)
      for (const more of [{}, { compare_time: await now() }]) {
        const query = { read_time: before, page_size: "200", ...more };
        const unscoped = await world.send(owner.token, `${collection}.list`, { query });
        expect([collection, unscoped.json["unknownOrganizations"]]).toEqual([collection, [other]]);
        const uids = uidsIn(unscoped.json[collection]);
        expect(uids.some((uid) => uid.startsWith(organization))).toBe(true);
        expect(uids.filter((uid) => uid.startsWith(other))).toEqual([]);
      }
    const { json: known } = await world.send(owner.token, "groups.list", {
      query: { read_time: await now() },
    });
    expect(known["unknownOrganizations"]).toBeUndefined();
  });

  test("what retention removed from the log is unknown", async () => {
    const before = await now();
    await sweepAudit(world.service.database, 0, (_, work) => work());
    expect(await unknownBefore(before)).toBeGreaterThan(Date.parse(before));
    const [left] = await world.service.database.query(
      "select (select count(*)::int from record_states) as states, (select count(*)::int from record_changes) as changes",
    );
    expect(left).toEqual({ states: 0, changes: 0 });
    expect((await list(owner, "groups", await now())).status).toBe(200);
  });
});
