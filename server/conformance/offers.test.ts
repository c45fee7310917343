import { afterAll, beforeAll, expect, test } from "vitest";

import { AttackFixture } from "./attack-fixture";
import type { Person, Wire, World } from "./world";

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

const offers = async (by: Person): Promise<Wire[]> =>
  ((await world.make(by, "groups.offered"))["offers"] ?? []) as Wire[];
const groupsOf = async (by: Person, query = {}): Promise<string[]> =>
  ((await world.make(by, "groups.list", { query }))["groups"] as Wire[]).map(({ uid }) => uid as string);
const accept = ({ token }: Person, uid: string) =>
  world.send(token, "groups.acceptAccess", { uid, body: {} });

test("what a stranger gives a person is not among their organizations until they accept", async () => {
  const person = await world.person("wanted");
  const home = await world.create(person, "groups", "", { name: "home.example" });
  await world.offer(owner, folder, person.uid, "editor");
  expect(await groupsOf(person)).toEqual([home]);
  for (const list of ["repos.list", "identities.list", "roleBindings.list", "auditEntries.list"]) {
    const found = JSON.stringify(await world.make(person, list));
    expect(found).not.toContain(organization);
  }
  // It counts where it is named: a link that a colleague sends works at once.
  expect(await groupsOf(person, { "uidp.descendants_of": organization })).toContain(folder);
  await world.make(person, "groups.get", { uid: folder });
  const [offer, ...none] = await offers(person);
  expect(none).toEqual([]);
  expect(offer).toMatchObject({ groupUid: organization, roles: ["editor"], byName: "owner" });

  expect((await accept(person, organization)).status).toBe(200);
  expect(await groupsOf(person)).toEqual(expect.arrayContaining([home, folder]));
  expect(await offers(person)).toEqual([]);
});

test("what was accepted stays accepted, also when roles are taken away and given again", async () => {
  const person = await world.person("again");
  const { uid } = await world.offer(owner, folder, person.uid, "viewer");
  await accept(person, organization);
  await world.make(owner, "roleBindings.delete", { uid });
  await world.offer(owner, organization, person.uid, "viewer");
  expect(await groupsOf(person)).toContain(organization);
});

test("an offer is declined by giving up its roles; then only an invite brings the person back", async () => {
  const person = await world.person("declining");
  const { uid } = await world.offer(owner, folder, person.uid, "viewer");
  const { roleBindings } = await world.make(person, "roleBindings.list", { query: { identity: person.uid } });
  expect((roleBindings as Wire[]).map((binding) => binding["uid"])).toEqual([uid]);
  await world.make(person, "roleBindings.delete", { uid });
  expect(await offers(person)).toEqual([]);
  expect((await accept(person, organization)).status).toBe(404);
  await expect(world.offer(owner, folder, person.uid, "viewer")).rejects.toThrow("left the organization");
});

test("an offer that was taken back is none, and nobody accepts another person's", async () => {
  const person = await world.person("late");
  const { uid } = await world.offer(owner, folder, person.uid, "viewer");
  expect((await accept(cast.stranger, organization)).status).toBe(404);
  expect((await accept(person, folder)).status).toBe(404);
  await world.make(owner, "roleBindings.delete", { uid });
  expect(await offers(person)).toEqual([]);
});

test("what one asked for, created or was invited to needs no second yes", async () => {
  const asker = await world.person("asking");
  await world.make(asker, "groups.requestGroupAccess", { uid: folder, body: {} });
  await world.offer(owner, folder, asker.uid, "viewer");
  expect(await groupsOf(asker)).toEqual([folder]);
  const founder = await world.person("founding");
  const own = await world.create(founder, "groups", "", { name: "own.example" });
  expect(await groupsOf(founder)).toEqual([own]);
  const invite = await world.make(owner, "groupInvites.create", {
    parent: folder,
    body: {
      roleUid: (await world.make(owner, "roles.list", { query: { name: "viewer" } }))["roles"][0].uid,
      ttl: "3600s",
    },
  });
  const guest = await world.person("guest");
  await world.make(guest, "groupInvites.register", { body: { code: invite["code"] } });
  expect(await groupsOf(guest)).toEqual([folder]);
});

test("machines have nothing to accept", async () => {
  const uid = await world.create(owner, "identities", folder, {
    name: "bot",
    ...world.claims("offered-bot"),
  });
  await world.offer(owner, folder, uid, "viewer");
  const token = await world.machine("offered-bot");
  expect(await groupsOf({ uid, token })).toEqual([folder]);
  expect(await offers({ uid, token })).toEqual([]);
});
