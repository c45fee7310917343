import { afterAll, beforeAll, expect, test } from "vitest";

import { resources } from "platform-contract";

import { Ground } from "../../conformance/ground";
import { BODIES } from "../../conformance/samples";
import type { Wire, World } from "../../conformance/world";
import { builtInRoleUid } from "./roles.table";

let ground: Ground;
let world: World;
beforeAll(async () => {
  ground = await Ground.open();
  ({ world } = ground);
});
afterAll(() => world.service.stop());

/** How often a history is asked about, and how much changes before each time. */
const ROUNDS = 70;
const CHANGES = 3;
const TRIPLES = 80;
/** Milliseconds that an ending role binding lasts: some end between two rounds. */
const LASTS = 4_000;

interface Asker {
  readonly uid: string;
  readonly token: string;
}
/** A request, and the capabilities that it needs at a group or record. */
interface Probe {
  readonly id: string;
  readonly at: "uid" | "parent";
  readonly needs: readonly string[];
  /** The place of a request in a group. */
  readonly place: (group: string) => string;
  readonly body?: (group: string) => Wire;
}

/** Creates, reads, lists and changes of every kind that is in a group, and of groups themselves. */
function probesIn(records: ReadonlyMap<string, ReadonlyMap<string, string>>): Probe[] {
  const probes: Probe[] = [];
  for (const resource of resources) {
    const { collection, get } = resource;
    const create = "create" in resource ? resource.create : undefined;
    const update = "update" in resource ? resource.update : undefined;
    const sample = BODIES[collection];
    // Who grants a role has to hold it: that is another rule than a capability.
    const isPlain = !/^(?:roleBindings|groupInvites|identityProviders|roles)$/.test(collection);
    if (create?.access.at === "parent" && sample && isPlain && records.has(collection))
      probes.push({
        id: create.id,
        at: "parent",
        needs: create.access.needs,
        place: (group) => group,
        // Refused for what it says, if it gets that far: nothing is created.
        body: () => ({ name: "" }),
      });
    for (const endpoint of [get, update])
      if (endpoint?.access.at === "uid" && (collection === "groups" || records.has(collection)))
        probes.push({
          id: endpoint.id,
          at: "uid",
          needs: endpoint.access.needs,
          place: (group) => (collection === "groups" ? group : (records.get(collection)?.get(group) ?? "")),
          body: () => ({ description: "probed" }),
        });
  }
  return probes.filter(({ needs }) => needs.length > 0);
}

test("what it says is what requests do, over random histories of roles and role bindings", async () => {
  let seed = 20_261;
  const random = (most: number): number => (seed = (seed * 1103515245 + 12345) % 2147483648) % most;
  const one = <T>(of: readonly T[]): T => of[random(of.length)]!;
  const { owner, organization } = ground;
  const groups = [organization];
  for (let count = 0; count < 7; count++)
    groups.push(await ground.create("groups", one(groups), { name: `group-${count}` }));
  const records = new Map<string, Map<string, string>>();
  for (const collection of ["repos", "identities", "roles", "subscriptions"]) {
    const own = new Map<string, string>();
    for (const group of groups)
      own.set(group, await ground.create(collection, group, BODIES[collection]!(world, owner, group)));
    records.set(collection, own);
  }
  const people: Asker[] = await Promise.all(["h1", "h2", "h3"].map((name) => world.person(name)));
  const machines: Asker[] = await Promise.all(
    ["m1", "m2", "m3"].map(async (name) => ({
      uid: await ground.create("identities", one(groups), { name, ...world.claims(name) }),
      token: await world.machine(name),
    })),
  );
  const askers = [...people, ...machines];
  const probes = probesIn(records);
  expect(probes.length).toBeGreaterThan(8);
  const capabilities = [...new Set(probes.flatMap(({ needs }) => needs))];
  const some = (): string[] => capabilities.filter(() => random(3) === 0);
  const roles = ["owner", "editor", "viewer"].map(builtInRoleUid);
  const custom: string[] = [];
  const bindings: string[] = [];

  /** Few hold at a time, so that about as much is refused as allowed. */
  const mostBindings = 7;
  const change: readonly (() => Promise<unknown>)[] = [
    async () => {
      const { uid } = one(askers);
      const ends = random(3) === 0 && {
        expirationTime: new Date(Date.now() + 500 + random(LASTS)).toISOString(),
      };
      const body = { identityUid: uid, roleUid: one([...roles, ...custom]), ...ends };
      const group = one(groups);
      const made = await world.send(owner.token, "roleBindings.create", { parent: group, body });
      if (made.status === 200) bindings.push(String(made.json["uid"]));
    },
    async () => {
      do {
        const [uid] = bindings.splice(random(bindings.length), 1);
        if (uid) await world.send(owner.token, "roleBindings.delete", { uid });
      } while (bindings.length > mostBindings);
    },
    async () => {
      const role = await world.make(owner, "roles.create", {
        parent: one(groups),
        body: { name: `role-${custom.length}`, capabilities: [one(capabilities), ...some()] },
      });
      custom.push(role["uid"]);
    },
    async () => {
      const uid = custom.length > 0 ? one(custom) : undefined;
      if (uid)
        await world.make(owner, "roles.update", {
          uid,
          query: { updateMask: "capabilities" },
          body: { capabilities: [one(capabilities), ...some()] },
        });
    },
    // Asking is a person's consent to roles there.
    async () => {
      await world.send(one(people).token, "groups.requestGroupAccess", { uid: one(groups), body: {} });
    },
  ];

  let compared = 0;
  let allowed = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (let count = 0; count < CHANGES; count++) await one([change[0]!, change[0]!, ...change])();
    for (let count = 0; count < TRIPLES; count++) {
      const [asker, group, probe] = [one(askers), one(groups), one(probes)];
      const uid = probe.place(group);
      const query = new URLSearchParams([
        ["uid", probe.at === "parent" ? group : uid],
        ...probe.needs.map((each) => ["capabilities", each]),
        ["identity", asker.uid],
      ]);
      const ask = async () => {
        const { json } = await world.service.call("GET", `/access/v1/decisions?${query}`, {
          token: owner.token,
        });
        return String(json["decision"]);
      };
      const decision = await ask();
      const answer = await world.send(asker.token, probe.id, {
        [probe.at]: uid,
        ...(probe.id.endsWith(".update") && { query: { updateMask: "description" } }),
        ...(probe.body && { body: probe.body(group) }),
      });
      const done = answer.status === 403 ? "DECISION_DENIED" : "DECISION_ALLOWED";
      // A role binding can end in between.
      if (decision !== done && (await ask()) !== decision) continue;
      compared += 1;
      allowed += decision === "DECISION_ALLOWED" ? 1 : 0;
      const what = [round, probe.id, uid, asker.uid, probe.needs, answer.status];
      expect([...what, decision]).toEqual([...what, done]);
    }
  }
  // Enough of both, or it says nothing.
  expect(compared).toBeGreaterThan(5_000);
  expect(allowed).toBeGreaterThan(1_000);
  expect(compared - allowed).toBeGreaterThan(1_000);
});
