import { afterAll, beforeAll, expect, test } from "vitest";

import { BODIES } from "../../conformance/samples";
import { Ground } from "../../conformance/ground";
import type { Person, Wire, World } from "../../conformance/world";
import { unlogged } from "../store/audit";
import { accessAt } from "../store/audit-access";
import { builtInRoleUid } from "../../domains/access/roles.table";

let world: World;
let owner: Person;
let organization: string;
let folder: string;

beforeAll(async () => {
  ({ world, owner, organization, folder } = await Ground.open());
});
afterAll(() => world.service.stop());

/** What the API says is held now: `identity role` of each binding at these groups. */
async function heldNow(groups: readonly string[]): Promise<string[]> {
  const lists = await Promise.all(
    groups.map((group) => world.make(owner, "roleBindings.list", { query: { group, page_size: "200" } })),
  );
  return lists
    .flatMap(({ roleBindings }) => roleBindings as Wire[])
    .map(({ uid, identity, role }) => `${uid} ${identity.name} ${role.name}`)
    .toSorted();
}

const ask = (by: Person, query: Record<string, string>) => world.make(by, "auditAccess.get", { query });
const told = ({ held }: Wire): string[] =>
  (held as Wire[]).map((one) => `${one["roleBinding"]} ${one["identityName"]} ${one["roleName"]}`).toSorted();

/** A time between two writes: the service's clock has milliseconds. */
async function between(): Promise<string> {
  const start = Date.now();
  while (Date.now() <= start + 2) await world.make(owner, "ping.ping");
  return new Date(start + 1).toISOString();
}

test("who had which role at a group is what the API said then, whatever happened since", async () => {
  const [ann, bob] = [await world.person("ann"), await world.person("bob")];
  const moments: { time: string; held: string[] }[] = [];
  const note = async () => {
    moments.push({ held: await heldNow([organization, folder]), time: await between() });
  };
  await note();
  const first = await world.bind(owner, folder, ann.uid, "viewer");
  await note();
  const above = await world.bind(owner, organization, bob.uid, "editor");
  await note();
  const roleUid = builtInRoleUid("owner");
  await world.make(owner, "roleBindings.update", { uid: first["uid"], body: { roleUid } });
  await note();
  await world.make(owner, "roleBindings.delete", { uid: above["uid"] });
  await note();
  // Moved to another identity, and elsewhere, which does not count here.
  await world.make(owner, "roleBindings.update", { uid: first["uid"], body: { identityUid: bob.uid } });
  const beside = await world.create(owner, "groups", organization, { name: "beside" });
  await world.bind(owner, beside, ann.uid, "viewer");
  await note();
  for (const { time, held } of moments) {
    const answer = await ask(owner, { group: folder, time });
    expect([time, told(answer)]).toEqual([time, held]);
    expect(answer).toMatchObject({ complete: true, time });
  }
  // The same for a person, as far as the caller sees.
  const annThen = await ask(owner, { identity: ann.uid, time: moments[1]!.time });
  expect(annThen["held"]).toMatchObject([{ group: folder, identityName: "ann", roleName: "viewer" }]);
  expect((await ask(owner, { identity: ann.uid, time: moments[0]!.time }))["held"]).toEqual([]);
  expect(
    (await ask(await world.person("stranger"), { group: folder, time: moments[1]!.time }))["held"],
  ).toEqual([]);
});

test("a day is answered with everything held at any time of it, and from when to when", async () => {
  const [carol, dan] = [await world.person("carol"), await world.person("dan")];
  const room = await world.create(owner, "groups", folder, { name: "day" });
  const kept = await world.bind(owner, room, carol.uid, "viewer");
  const gone = await world.bind(owner, room, dan.uid, "viewer");
  await world.make(owner, "roleBindings.delete", { uid: gone["uid"] });
  const time = await between();
  const short = await world.bind(owner, room, dan.uid, "editor");
  await world.make(owner, "roleBindings.update", {
    uid: short["uid"],
    body: { roleUid: builtInRoleUid("owner") },
  });
  await world.make(owner, "roleBindings.delete", { uid: kept["uid"] });
  const until = await between();
  await world.make(owner, "roleBindings.delete", { uid: short["uid"] });
  const answer = await ask(owner, { group: room, time, until });
  const rows = (answer["held"] as Wire[]).filter(({ group }) => group === room);
  expect(answer).toMatchObject({ complete: true, time, until, topGroup: organization });
  expect(
    rows.map((one) => [
      one["identityName"],
      one["roleName"],
      ...["startTime", "endTime", "endSinceTime"].map((field) => field in one),
    ]),
  ).toEqual(
    expect.arrayContaining([
      ["carol", "viewer", false, true, false],
      ["dan", "editor", true, true, false],
      ["dan", "owner", true, false, true],
    ]),
  );
  expect(rows).toHaveLength(3);
  expect(rows.find((one) => "endSinceTime" in one)!["endSinceTime"]! > until).toBe(true);
  const [editor, later] = ["editor", "owner"].map((role) => rows.find(({ roleName }) => roleName === role)!);
  expect(editor!["endTime"]).toBe(later!["startTime"]);
  const wrong = await world.send(owner.token, "auditAccess.get", {
    query: { group: room, time: until, until: time },
  });
  expect(wrong.status).toBe(400);
});

test("what was given below a group is told if asked for, and what was taken away there since", async () => {
  const [gina, hal] = [await world.person("gina"), await world.person("hal")];
  const room = await world.create(owner, "groups", folder, { name: "above" });
  const deep = await world.create(
    owner,
    "groups",
    await world.create(owner, "groups", room, { name: "inner" }),
    {
      name: "deep",
    },
  );
  const own = await world.bind(owner, room, gina.uid, "viewer");
  const below = await world.bind(owner, deep, hal.uid, "editor");
  const time = await between();
  await world.make(owner, "roleBindings.delete", { uid: below["uid"] });
  const people = async (by: Person, query: Record<string, string>) =>
    ((await ask(by, { group: room, time, ...query }))["held"] as Wire[])
      .map(({ identityName }) => identityName as string)
      .filter((name) => ["gina", "hal"].includes(name))
      .toSorted();
  expect(await people(owner, {})).toEqual(["gina"]);
  expect(await people(owner, { below: "true" })).toEqual(["gina", "hal"]);
  expect(await people(owner, { below: "true", group: deep })).toEqual(["gina", "hal"]);
  // A neighbor's subtree is not below it.
  expect(await people(owner, { below: "true", group: organization })).toContain("hal");
  const beside = await world.create(owner, "groups", folder, { name: "beside" });
  expect(await people(owner, { below: "true", group: beside })).toEqual([]);
  expect(own["uid"]).toContain(room);
  // Who sees only the deep folder is told of that alone.
  const viewer = await world.person("ida");
  await world.bind(owner, deep, viewer.uid, "viewer");
  expect(await people(viewer, { below: "true", group: deep })).toEqual(["hal"]);
  expect(await people(viewer, { below: "true" })).toEqual(["hal"]);
});

test("a role that ended by itself since, and one that was changed, say when", async () => {
  const erin = await world.person("erin");
  const room = await world.create(owner, "groups", folder, { name: "ends" });
  const ends = await world.bind(owner, room, erin.uid, "viewer");
  const grows = await world.bind(owner, room, owner.uid, "viewer");
  const time = await between();
  await world.make(owner, "roleBindings.update", {
    uid: grows["uid"],
    body: { roleUid: builtInRoleUid("editor") },
  });
  const expiry = await between();
  await world.service.database.query("update role_bindings set expires_at = $2 where uid = $1", [
    ends["uid"],
    new Date(expiry),
  ]);
  const { held } = await ask(owner, { group: room, time });
  const since = new Map((held as Wire[]).map((one) => [one["roleBinding"], one["endSinceTime"]]));
  expect(since.get(ends["uid"])).toBe(expiry);
  expect(since.get(grows["uid"])).toSatisfy((at: string) => at > time && at < expiry);
});

test("an identity that was deleted keeps its name and its roles of that time", async () => {
  const uid = await world.create(owner, "identities", folder, BODIES["identities"]!(world, owner, folder));
  await world.bind(owner, folder, uid, "viewer");
  const { name } = await world.make(owner, "identities.get", { uid });
  const time = await between();
  await world.make(owner, "identities.delete", { uid });
  const { held } = await ask(owner, { identity: uid, time });
  expect(held).toMatchObject([{ identity: uid, identityName: name, roleName: "viewer", group: folder }]);
});

test("a time before the organization is answered with nobody, since its log has its beginning", async () => {
  const answer = await ask(owner, { group: folder, time: "2020-01-01T00:00:00.000Z" });
  expect(answer).toMatchObject({ complete: true, held: [], time: "2020-01-01T00:00:00.000Z" });
});

test("an operation that changed more roles than its entry describes makes the answer incomplete", async () => {
  const uid = await world.create(owner, "identities", organization, {
    ...BODIES["identities"]!(world, owner, organization),
    name: "many",
  });
  const { database } = world.service;
  await database.query(
    `insert into groups select (jsonb_populate_record(g, jsonb_build_object(
       'uid', $1 || '/' || lpad(i::text, 16, '0'), 'parent', $1, 'name', 'many ' || i))).*
     from groups g, generate_series(1, 101) i where g.uid = $1`,
    [folder],
  );
  await database.query(
    `insert into role_bindings (uid, parent, identity_uid, role_uid, created_at, updated_at)
     select $1 || '/' || lpad(i::text, 16, '0') || '/' || lpad('', 16, '0'), $1 || '/' || lpad(i::text, 16, '0'), $2, $3,
       now(), now() from generate_series(1, 101) i`,
    [folder, uid, builtInRoleUid("viewer")],
  );
  const time = await between();
  expect(await ask(owner, { group: folder, time })).toMatchObject({ complete: true });
  await world.make(owner, "identities.delete", { uid });
  expect(await ask(owner, { group: folder, time })).toMatchObject({ complete: false });
});

test("a time before the log is answered by the bindings' own times, and as incomplete", async () => {
  // An organization that was there before the log: nothing says how it began.
  const { database } = world.service;
  const old = "e".repeat(40);
  await database.transaction(async (queries) => {
    await unlogged(queries);
    await queries.query(
      `insert into groups select (jsonb_populate_record(g, jsonb_build_object('uid', $2::text, 'name', 'old'))).*
       from groups g where g.uid = $1`,
      [organization, old],
    );
    await queries.query(
      `insert into role_bindings (uid, parent, identity_uid, role_uid, created_at, updated_at)
       select $1 || '/' || lpad(role, 16, '0'), $1, $2, role_uid, made::timestamptz, changed::timestamptz
       from (values ('1', $3, '2020-01-01', '2020-02-10'), ('2', $4, '2020-03-01', '2020-03-01'))
         as b (role, role_uid, made, changed)`,
      [old, owner.uid, builtInRoleUid("owner"), builtInRoleUid("viewer")],
    );
  });
  const time = "2020-02-01T00:00:00.000Z";
  const answer = await ask(owner, { group: old, time });
  expect(answer).toMatchObject({ complete: false, time });
  // It was changed before the log began, perhaps to this role.
  expect(answer["held"]).toMatchObject([{ identity: owner.uid, roleName: "owner", changeUnknown: true }]);
  const after = await ask(owner, { group: old, time: "2020-03-02T00:00:00Z" });
  expect((after["held"] as Wire[]).map((one) => "changeUnknown" in one)).toEqual([false, false]);
  const period = await ask(owner, { group: old, time, until: "2020-04-01T00:00:00.000Z" });
  expect((period["held"] as Wire[]).map(({ roleName, startTime }) => [roleName, startTime])).toEqual([
    ["owner", undefined],
    ["viewer", "2020-03-01T00:00:00.000Z"],
  ]);
  expect((await ask(owner, { group: old, time: "2019-12-31T00:00:00Z" }))["held"]).toEqual([]);
  const both = await world.send(owner.token, "auditAccess.get", {
    query: { group: folder, identity: owner.uid, time: "2020-01-01T00:00:00Z" },
  });
  expect(both.status).toBe(400);
});

test("a binding from before the log that is removed since still counts, from its own time", async () => {
  const { database } = world.service;
  const old = "d".repeat(40);
  const people = [await world.person("erin"), await world.person("finn")];
  await database.transaction(async (queries) => {
    await unlogged(queries);
    await queries.query(
      `insert into groups select (jsonb_populate_record(g, jsonb_build_object('uid', $2::text, 'name', 'older'))).*
       from groups g where g.uid = $1`,
      [organization, old],
    );
    await queries.query(
      `insert into role_bindings (uid, parent, identity_uid, role_uid, created_at, updated_at)
       select $1 || '/' || lpad(place, 16, '0'), $1, identity, $2, '2020-01-01', '2020-01-01'
       from (values ('1', $3), ('2', $4), ('3', $5)) as b (place, identity)`,
      [old, builtInRoleUid("owner"), owner.uid, people[0]!.uid, people[1]!.uid],
    );
  });
  const binding = (place: string) => `${old}/${place.padStart(16, "0")}`;
  await world.make(owner, "roleBindings.update", {
    uid: binding("2"),
    body: { roleUid: builtInRoleUid("viewer") },
  });
  for (const place of ["2", "3"]) await world.make(owner, "roleBindings.delete", { uid: binding(place) });
  const time = "2020-02-01T00:00:00.000Z";
  const answer = await ask(owner, { group: old, time });
  expect((answer["held"] as Wire[]).map((one) => [one["identityName"], one["roleName"]])).toEqual([
    ["owner", "owner"],
    ["erin", "owner"],
    ["finn", "owner"],
  ]);
  expect((await ask(owner, { group: old, time: "2019-12-31T00:00:00Z" }))["held"]).toEqual([]);
});

test("what is below is left out, and said to be, once too much has changed there", async () => {
  const time = new Date(await between());
  const [deep, ivy] = [
    await world.create(owner, "groups", folder, { name: "busy" }),
    await world.person("ivy"),
  ];
  for (const role of ["viewer", "editor"]) await world.bind(owner, deep, ivy.uid, role);
  const question = { group: folder, below: true, time, until: new Date(), visible: [organization] };
  const read = async (most: number) => {
    const { held, belowLeftOut } = await accessAt(world.service.database, question, most);
    return [held.some(({ identity }) => identity === ivy.uid), belowLeftOut];
  };
  expect(await read(2)).toEqual([true, undefined]);
  expect(await read(1)).toEqual([false, true]);
});
