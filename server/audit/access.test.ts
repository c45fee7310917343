import { afterAll, beforeAll, expect, test } from "vitest";

import { Ground } from "../conformance/ground";
import type { Person, Wire, World } from "../conformance/world";
import { builtInRoleUid } from "../store/roles";

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

test("a time before the log is answered for its beginning, and as incomplete", async () => {
  const answer = await ask(owner, { group: folder, time: "2020-01-01T00:00:00.000Z" });
  expect(answer).toMatchObject({ complete: false, time: answer["knownSince"] });
  const both = await world.send(owner.token, "auditAccess.get", {
    query: { group: folder, identity: owner.uid, time: "2020-01-01T00:00:00Z" },
  });
  expect(both.status).toBe(400);
});
