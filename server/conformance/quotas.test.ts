import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { resources } from "platform-contract";
import { errorInfo } from "platform-contract/status";

import { sweep } from "../platform/store/maintenance";
import { ensureQuotas, QUOTAS } from "../platform/store/quotas";
import { openDirectory, userBody } from "../testing/scim";
import { Ground } from "./ground";
import { collectionAbove, type Person, type Wire, type World } from "./world";

let ground: Ground;
let world: World;
let owner: Person;
beforeAll(async () => {
  ground = await Ground.open();
  ({ world, owner } = ground);
});
afterAll(() => world.service.stop());
afterEach(() => ensureQuotas(world.service.database));

const limit = (kind: string, bytes: number) => ensureQuotas(world.service.database, { [kind]: bytes });

async function stored(kind: string): Promise<number> {
  const [row] = await world.service.database.query<{ n: string }>(
    `select coalesce(sum(bytes), 0)::text as n from (select organization, kind, bytes from stored_bytes
       union all select organization, kind, bytes from stored_changes) s where organization = $1 and kind = $2`,
    [ground.organization, kind],
  );
  return Number(row?.n);
}

test("every kind of record has a quota", () => {
  const kinds = resources.map(({ collection }) => collection);
  expect(Object.keys(QUOTAS)).toEqual(expect.arrayContaining(kinds));
});

test.each(resources.flatMap((one) => ("create" in one ? [one.collection as string] : [])))(
  "the quota of %s refuses what is beyond, and a deletion makes room",
  async (name) => {
    const above = ground.places[collectionAbove(name)] ?? ground.folder;
    const parent = await world.room(owner, name, above);
    const body = ground.samples.get(name)!.made;
    const before = await stored(name);
    await limit(name, before + 10);
    const refused = await world.send(owner.token, `${name}.create`, { parent, body });
    expect([refused.status, errorInfo(refused.json)?.reason]).toEqual([429, "RESOURCE_EXHAUSTED"]);
    expect(refused.json.message).toContain(`of ${name}, the most that it can have`);
    expect(await stored(name)).toBe(before);
    await limit(name, before + 1_000_000);
    const { uid } = await world.make(owner, `${name}.create`, { parent, body });
    const full = await stored(name);
    expect(full).toBeGreaterThan(before);
    await world.make(owner, `${name}.delete`, { uid: String(uid) });
    // The history of a tag outlives it.
    expect(await stored(name)).toBeLessThanOrEqual(name === "tags" ? full - 1 : before);
  },
);

test("an update counts what it adds, also after the sweep", async () => {
  const uid = await world.create(owner, "groups", ground.folder, { name: "grows" });
  await sweep(world.service.database);
  const before = await stored("groups");
  expect(before).toBeGreaterThan(0);
  await limit("groups", before + 500);
  const describe = (length: number) =>
    world.send(owner.token, "groups.update", { uid, body: { description: "x".repeat(length) } });
  expect((await describe(400)).status).toBe(200);
  expect((await describe(900)).status).toBe(429);
  expect((await describe(10)).status).toBe(200);
  const after = await stored("groups");
  expect(after - before).toBeLessThan(50);
  // A sweep adds to what earlier ones have counted.
  await sweep(world.service.database);
  expect(await stored("groups")).toBe(after);
});

test("who has a full organization can still read it, and is seen once there is room", async () => {
  const uid = await world.create(owner, "identities", ground.folder, {
    name: "reader",
    ...world.claims("full-reader"),
  });
  await world.bind(owner, ground.folder, uid, "viewer");
  await limit("identities", 1);
  const token = await world.machine("full-reader");
  expect((await world.send(token, "groups.list")).status).toBe(200);
});

test("a directory's users and members count, and the refusal is one of SCIM", async () => {
  const provider = await world.create(
    owner,
    "identityProviders",
    ground.folder,
    ground.samples.get("identityProviders")!.made,
  );
  const directory = await openDirectory(world, owner, provider);
  const { id } = await directory.make("POST", "/Users", userBody("first"));
  const [users, groups] = [await stored("directoryUsers"), await stored("directoryGroups")];
  await ensureQuotas(world.service.database, { directoryUsers: users + 10, directoryGroups: groups + 400 });
  const refused = await directory.call("POST", "/Users", userBody("second"));
  expect([refused.status, (refused.json as Wire)["detail"]]).toEqual([
    403,
    expect.stringContaining("of directoryUsers, the most that it can have"),
  ]);
  const group = await directory.make("POST", "/Groups", { displayName: "some", members: [{ value: id }] });
  expect(await stored("directoryGroups")).toBeGreaterThan(groups + 150);
  expect((await directory.call("DELETE", `/Groups/${group["id"]}`)).status).toBe(204);
  expect(await stored("directoryGroups")).toBe(groups);
});
