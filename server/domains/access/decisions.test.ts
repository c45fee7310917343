import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { Ground } from "../../conformance/ground";
import type { Person, Wire, World } from "../../conformance/world";
import { builtInRoleUid } from "./roles.table";

let ground: Ground;
let world: World;
let owner: Person;
let organization: string;
let folder: string;

beforeAll(async () => {
  ground = await Ground.open();
  ({ world, owner, organization, folder } = ground);
});
afterAll(() => world.service.stop());

const PULL = ["CAP_MANIFEST_LIST", "CAP_REPO_BLOBS_GET"];

const send = ({ token }: Person, uid: string, capabilities: readonly string[], identity?: string) => {
  const query = [
    ["uid", uid],
    ...capabilities.map((one) => ["capabilities", one]),
    ...(identity === undefined ? [] : [["identity", identity]]),
  ];
  return world.service.call("GET", `/access/v1/decisions?${new URLSearchParams(query)}`, { token });
};
async function ask(...asked: Parameters<typeof send>): Promise<Wire> {
  const { status, json } = await send(...asked);
  expect(status).toBe(200);
  return json;
}
const bind = (group: string, identityUid: string, roleUid: string, more: object = {}) =>
  world.make(owner, "roleBindings.create", { parent: group, body: { identityUid, roleUid, ...more } });

test("yes names the role bindings that allow it and where they are", async () => {
  const ann = await world.person("ann");
  const repo = await ground.create("repos", folder, { name: "allowed" });
  const { uid } = await bind(folder, ann.uid, builtInRoleUid("viewer"));
  const answer = await ask(owner, repo, ["repo.list"], ann.uid);
  expect(answer).toMatchObject({
    decision: "DECISION_ALLOWED",
    missing: [],
    group: folder,
    groupName: "folder",
    bindings: [{ roleBinding: uid, group: folder, roleName: "viewer", capabilities: ["CAP_REPO_LIST"] }],
  });
});

test("no says what is missing, and which role would give the least besides it", async () => {
  const bob = await world.person("bob");
  const small = await ground.create("roles", organization, { name: "small", capabilities: PULL });
  const { decision, missing, remedies } = await ask(owner, folder, PULL, bob.uid);
  expect({ decision, missing }).toEqual({ decision: "DECISION_DENIED", missing: PULL });
  expect(remedies).toMatchObject([
    { role: small, roleName: "small", adds: [] },
    { role: builtInRoleUid("registry.pull"), roleName: "registry.pull" },
    ...[0, 1, 2].map(() => ({ adds: expect.arrayContaining(["CAP_REPO_LIST"]) })),
  ]);
  // The first remedy is one.
  await bind(folder, bob.uid, small);
  expect(await ask(owner, folder, PULL, bob.uid)).toMatchObject({
    decision: "DECISION_ALLOWED",
    remedies: [],
  });
});

test("a role that only reads comes before a smaller one that changes something", async () => {
  const [cy, more] = [await world.person("cy"), [...PULL, "CAP_TAG_DELETE"]];
  await ground.create("roles", organization, { name: "a deleter", capabilities: more });
  const { remedies } = await ask(owner, folder, PULL, cy.uid);
  const names = (remedies as Wire[]).map(({ roleName }) => roleName);
  expect(names.indexOf("registry.pull")).toBeLessThan(names.indexOf("a deleter"));
  expect(names.indexOf("a deleter")).not.toBe(-1);
});

test("who may do it only further down is told where, topmost first, not a plain no", async () => {
  const dan = await world.person("dan");
  const [one, other] = [await ground.create("groups", organization, { name: "one" }), folder];
  const inner = await ground.create("groups", one, { name: "inner" });
  for (const group of [one, inner]) await bind(group, dan.uid, builtInRoleUid("registry.pull"));
  await bind(other, dan.uid, builtInRoleUid("viewer"), {
    expirationTime: new Date(Date.now() + 900).toISOString(),
  });
  // Half of what is asked is not enough.
  await bind(
    other,
    dan.uid,
    await ground.create("roles", organization, { name: "half", capabilities: PULL.slice(1) }),
  );
  const below = async () => (await ask(owner, organization, PULL, dan.uid))["allowedBelow"];
  await vi.waitFor(async () => expect(await below()).toEqual([{ group: one, groupName: "one" }]), 5_000);
  expect(await ask(owner, one, PULL, dan.uid)).not.toHaveProperty("allowedBelow");
  expect(await ask(dan, organization, PULL)).toMatchObject({ allowedBelow: [{ group: one }] });
});

test("a machine outside of whose group the record is needs another identity, with one of these roles", async () => {
  const machine = await ground.create("identities", folder, {
    name: "confined",
    ...world.claims("confined"),
  });
  const { uid } = await bind(organization, machine, builtInRoleUid("owner")).catch(() => ({ uid: "" }));
  const answer = await ask(owner, organization, ["groups.list"], machine);
  expect(answer).toMatchObject({
    decision: "DECISION_DENIED",
    home: folder,
    homeName: "folder",
  });
  expect(answer["remedies"]).toContainEqual(expect.objectContaining({ roleName: "viewer" }));
  if (uid !== "")
    expect(answer["bindings"]).toMatchObject([{ roleBinding: uid, noEffect: "NO_EFFECT_OUT_OF_REACH" }]);
});

test("a role binding that has ended is named as such", async () => {
  const eve = await world.person("eve");
  const { uid } = await bind(folder, eve.uid, builtInRoleUid("viewer"));
  await world.service.database.query("update role_bindings set expires_at = now() where uid = $1", [uid]);
  expect(await ask(owner, folder, ["repo.list"], eve.uid)).toMatchObject({
    decision: "DECISION_DENIED",
    bindings: [{ roleBinding: uid, noEffect: "NO_EFFECT_ENDED" }],
  });
});

test("about others it needs the role bindings there, and is unknown if a role further up could allow it", async () => {
  const [reader, kim] = [await world.person("reader"), await world.person("kim")];
  expect((await send(reader, folder, ["repo.list"], kim.uid)).status).toBe(403);
  await bind(folder, reader.uid, builtInRoleUid("viewer"));
  await bind(organization, kim.uid, builtInRoleUid("viewer"));
  expect(await ask(owner, folder, ["repo.list"], kim.uid)).toMatchObject({ decision: "DECISION_ALLOWED" });
  expect(await ask(reader, folder, ["repo.list"], kim.uid)).toMatchObject({
    decision: "DECISION_UNKNOWN",
    missing: ["CAP_REPO_LIST"],
    bindings: [],
  });
  // What it holds further up is not told by another way.
  expect(await ask(reader, folder, ["repo.list"], kim.uid)).not.toHaveProperty("tokenLimited");
});

test("about oneself nothing is needed, and bad questions are refused by field", async () => {
  const stranger = await world.person("unbound");
  const [here, nowhere] = [folder, `${folder}/${"0".repeat(16)}`];
  const gone = await ask(stranger, nowhere, ["repo.list"]);
  expect(gone).not.toHaveProperty("groupName");
  expect(gone).toEqual({ ...(await ask(stranger, here, ["repo.list"])), group: nowhere });
  expect(await ask(stranger, folder, ["repo.list"])).toMatchObject({
    decision: "DECISION_DENIED",
    missing: ["CAP_REPO_LIST"],
    bindings: [],
  });
  for (const [uid, capabilities] of [
    [folder, []],
    ["nothing", ["repo.list"]],
    [folder, ["repo.fly"]],
  ] as const)
    expect((await send(stranger, uid, capabilities)).status).toBe(400);
});

/** Operations that the path alone decides, with what each needs and a request of it. */
const PROBES = [
  { needs: "groups.update", verb: "groups.update", body: () => ({ description: "probed" }), at: "uid" },
  { needs: "repo.create", verb: "repos.create", body: (n: number) => ({ name: `probe-${n}` }), at: "parent" },
  { needs: "identity.create", verb: "identities.create", body: () => ({}), at: "parent" },
] as const;

test("what it says is what requests do, over random role bindings", async () => {
  let seed = 58;
  const random = (most: number): number => (seed = (seed * 1103515245 + 12345) % 2147483648) % most;
  const people = await Promise.all(["r1", "r2", "r3", "r4"].map((name) => world.person(name)));
  const groups = [organization, folder];
  for (let depth = 0; depth < 4; depth++)
    groups.push(await ground.create("groups", groups[random(groups.length)]!, { name: `deep-${depth}` }));
  const roles = ["owner", "editor", "viewer", "registry.pull"].map(builtInRoleUid);
  for (let count = 0; count < 9; count++)
    await bind(groups[random(groups.length)]!, people[random(4)]!.uid, roles[random(4)]!).catch(
      () => undefined,
    );
  for (const [n, group] of groups.entries())
    for (const person of people)
      for (const { needs, verb, body, at } of PROBES) {
        const { decision } = await ask(owner, group, [needs], person.uid);
        const { status } = await world.send(person.token, verb, { [at]: group, body: body(n) });
        const said = decision === "DECISION_ALLOWED";
        expect([verb, group, person.uid, status === 403]).toEqual([verb, group, person.uid, !said]);
        expect((await ask(person, group, [needs]))["decision"]).toBe(decision);
      }
});
