import { afterAll, beforeAll, expect, test } from "vitest";

import { ancestorsOf, isWithin } from "platform-contract/aip";
import type { AnswerOf } from "platform-contract/endpoint";
import type { explainAccess } from "platform-contract/iam/access-decisions";

import { Ground } from "../../conformance/ground";
import type { World } from "../../conformance/world";
import { builtInRoleUid } from "./roles.table";

type Decided = AnswerOf<typeof explainAccess>;

const ROUNDS = 60;
/** Questions after each change. */
const ASKED = 6;
const FEWEST_BINDINGS = 6;
const MOST_BINDINGS = 12;

interface Asker {
  readonly uid: string;
  readonly token: string;
  /** The group of a machine. */
  readonly home?: string;
}
interface Question {
  readonly uid: string;
  readonly asker: Asker;
  readonly capabilities: readonly string[];
}

let ground: Ground;
let world: World;
let seed = 4_711;
const random = (most: number): number => (seed = (seed * 1103515245 + 12345) % 2147483648) % most;
const one = <T>(of: readonly T[]): T => of[random(of.length)]!;

const groups: string[] = [];
const askers: Asker[] = [];
const custom: string[] = [];
/** Role bindings by uid, with what they give whom. */
const bindings = new Map<string, string>();

const CAPABILITIES = [
  "CAP_IAM_GROUPS_LIST",
  "CAP_IAM_GROUPS_UPDATE",
  "CAP_IAM_ROLES_LIST",
  "CAP_REPO_LIST",
  "CAP_REPO_CREATE",
  "CAP_TAG_LIST",
  "CAP_TAG_DELETE",
];
const some = (): string[] => [
  ...new Set(random(2) === 0 ? [one(CAPABILITIES)] : [one(CAPABILITIES), one(CAPABILITIES)]),
];

beforeAll(async () => {
  ground = await Ground.open();
  ({ world } = ground);
  groups.push(ground.organization);
  for (let count = 0; count < 8; count++)
    groups.push(await ground.create("groups", one(groups), { name: `group-${count}` }));
  for (const name of ["p1", "p2", "p3"]) {
    const person = await world.person(name);
    // Asking is a person's consent to roles there.
    await world.send(person.token, "groups.requestGroupAccess", { uid: ground.organization, body: {} });
    askers.push(person);
  }
  for (const name of ["m1", "m2", "m3"]) {
    const home = one(groups.slice(1));
    const uid = await ground.create("identities", home, { name, ...world.claims(name) });
    askers.push({ uid, token: await world.machine(name), home });
  }
  for (let count = 0; count < 6; count++)
    custom.push(
      await ground.create("roles", ground.organization, { name: `role-${count}`, capabilities: some() }),
    );
});
afterAll(() => world.service.stop());

async function ask(
  { uid, asker, capabilities }: Question,
  by = ground.owner.token,
  own = false,
): Promise<Decided> {
  const query = new URLSearchParams([
    ["uid", uid],
    ...capabilities.map((each): [string, string] => ["capabilities", each]),
    ...(own ? [] : [["identity", asker.uid] as [string, string]]),
  ]);
  const { status, json } = await world.service.call("GET", `/access/v1/decisions?${query}`, { token: by });
  expect([status, json]).toEqual([200, expect.anything()]);
  return json as Decided;
}
const allows = ({ decision }: Decided): boolean => decision === "DECISION_ALLOWED";

/** Mostly about somebody who has a role. */
function question(): Question {
  const holding = askers.filter(({ uid }) => [...bindings.values()].includes(uid));
  const asker = one(holding.length > 0 && random(4) > 0 ? holding : askers);
  return { uid: one(groups), asker, capabilities: some() };
}

/** @returns the uid; undefined if it is refused, such as a second one of the same role */
async function grant(group: string, asker: Asker, role: string, end?: Date): Promise<string | undefined> {
  const body = {
    identityUid: asker.uid,
    roleUid: role,
    ...(end && { expirationTime: end.toISOString() }),
  };
  const { status, json } = await world.send(ground.owner.token, "roleBindings.create", {
    parent: group,
    body,
  });
  if (status !== 200) return undefined;
  const uid = String(json["uid"]);
  bindings.set(uid, asker.uid);
  return uid;
}
async function remove(uid: string): Promise<void> {
  await world.make(ground.owner, "roleBindings.delete", { uid });
  bindings.delete(uid);
}
const anyRole = (): string => one([...custom, ...custom, builtInRoleUid("viewer"), builtInRoleUid("editor")]);

/** Calls `law` after each of many random grants and removals. */
async function always(law: (asked: Question, before: Decided) => Promise<unknown>): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    if (bindings.size > MOST_BINDINGS || (bindings.size > 0 && random(3) === 0))
      await remove(one([...bindings.keys()]));
    else await grant(one(groups), one(askers), anyRole());
    while (bindings.size < FEWEST_BINDINGS) await grant(one(groups), one(askers), anyRole());
    for (let count = 0; count < ASKED; count++) {
      const asked = question();
      await law(asked, await ask(asked));
    }
  }
}

test("a grant never takes away, its removal never gives, and both together change nothing", async () => {
  let changed = 0;
  await always(async (asked, before) => {
    const near = one([...ancestorsOf(asked.uid), asked.uid]);
    const uid = await grant(near, random(4) > 0 ? asked.asker : one(askers), anyRole());
    if (!uid) return;
    const during = await ask(asked);
    if (allows(before)) expect(during.decision).toBe(before.decision);
    await remove(uid);
    expect(await ask(asked)).toEqual(before);
    if (during.decision !== before.decision) changed += 1;
  });
  expect(changed).toBeGreaterThan(10);
});

test("each role that it names as a remedy is one, and gives besides what it says", async () => {
  let tried = 0;
  await always(async (asked, before) => {
    const remedy = before.remedies?.[random(before.remedies.length || 1)];
    if (allows(before) || !remedy || before.home !== undefined) return;
    const uid = await grant(asked.uid, asked.asker, remedy.role);
    if (!uid) return;
    expect([asked, await ask(asked)]).toEqual([
      asked,
      expect.objectContaining({ decision: "DECISION_ALLOWED" }),
    ]);
    const { adds = [] } = remedy;
    const added = adds.length > 0 ? [one(adds), one(adds)] : [];
    const having = (capability: string) => ask({ ...asked, capabilities: [capability] });
    for (const capability of added) expect(allows(await having(capability))).toBe(true);
    await remove(uid);
    // What it is said to add was not there before.
    for (const capability of added) expect(allows(await having(capability))).toBe(false);
    tried += 1;
  });
  expect(tried).toBeGreaterThan(50);
});

test("without the role bindings that it gives as the reason it says no, and without all others it still says yes", async () => {
  let tried = 0;
  await always(async (asked, before) => {
    if (!allows(before)) return;
    const because = (before.bindings ?? []).filter(({ noEffect }) => noEffect === undefined);
    expect(because.length).toBeGreaterThan(0);
    const uids = new Set(because.map(({ roleBinding }) => roleBinding));
    for (const [uid, who] of bindings) if (who === asked.asker.uid && !uids.has(uid)) await remove(uid);
    expect(allows(await ask(asked))).toBe(true);
    for (const uid of uids) await remove(uid);
    expect(allows(await ask(asked))).toBe(false);
    tried += 1;
  });
  expect(tried).toBeGreaterThan(10);
});

test("it says the same to whoever it is about as to who may see their role bindings", async () => {
  await always(async (asked, before) => {
    const own = await ask(asked, asked.asker.token, true);
    expect([asked, own.decision, own.missing]).toEqual([asked, before.decision, before.missing]);
  });
});

test("where it is allowed below is exactly where it is allowed, at the topmost groups", async () => {
  let named = 0;
  await always(async (asked, before) => {
    if (allows(before)) return;
    const below = groups.filter((group) => group !== asked.uid && isWithin(group, asked.uid));
    const allowed: string[] = [];
    for (const uid of below) if (allows(await ask({ ...asked, uid }))) allowed.push(uid);
    const topmost = allowed.filter((uid) => !ancestorsOf(uid).some((above) => allowed.includes(above)));
    expect((before.allowedBelow ?? []).map(({ group }) => group)).toEqual(topmost.toSorted());
    named += topmost.length;
  });
  expect(named).toBeGreaterThan(20);
});

test("more capabilities are never allowed where fewer aren't, and a group below never has less", async () => {
  let tried = 0;
  await always(async (asked, before) => {
    const [first = ""] = asked.capabilities;
    tried += allows(before) ? 1 : 0;
    if (allows(before)) expect(allows(await ask({ ...asked, capabilities: [first] }))).toBe(true);
    const below = one(groups.filter((group) => isWithin(group, asked.uid)));
    const { home } = asked.asker;
    if (allows(before) && (home === undefined || isWithin(below, home)))
      expect(allows(await ask({ ...asked, uid: below }))).toBe(true);
  });
  expect(tried).toBeGreaterThan(20);
});

test("no role outside of a machine's own group ever counts", async () => {
  let outside = 0;
  await always(async (asked, before) => {
    const { home } = asked.asker;
    if (home === undefined || isWithin(asked.uid, home)) return;
    expect(before).toMatchObject({ decision: "DECISION_DENIED", home });
    outside += 1;
  });
  expect(outside).toBeGreaterThan(20);
});

test("at the second of an end it says no, and so does a request", async () => {
  for (const uid of bindings.keys()) await remove(uid);
  for (let count = 0; count < 12; count++) {
    const asker = one(askers);
    const group = asker.home ?? one(groups);
    const end = new Date(Date.now() + 1_500);
    const uid = await grant(group, asker, builtInRoleUid("viewer"), end);
    expect(uid).toBeDefined();
    const asked = { uid: group, asker, capabilities: ["CAP_IAM_GROUPS_LIST"] };
    const request = async () => {
      const at = Date.now();
      const { status } = await world.send(asker.token, "groups.get", { uid: group });
      return { status, from: at, to: Date.now() };
    };
    const decided = async () => {
      const at = Date.now();
      const allowed = allows(await ask(asked));
      return { status: allowed ? 200 : 403, from: at, to: Date.now() };
    };
    const seen: { status: number; from: number; to: number }[] = [];
    while (Date.now() < end.getTime() + 150) seen.push(await request(), await decided());
    for (const { status, from, to } of seen) {
      // What was begun before the end and answered after it can be either.
      if (to < end.getTime()) expect(status).toBe(200);
      if (from > end.getTime()) expect(status).toBe(403);
    }
    expect(seen.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 403]));
    expect((await ask(asked)).bindings).toEqual([
      expect.objectContaining({ roleBinding: uid, noEffect: "NO_EFFECT_ENDED" }),
    ]);
    await remove(uid!);
  }
});

test("of others, it answers only who may list role bindings there", async () => {
  await always(async (asked) => {
    const other = one(askers.filter(({ uid }) => uid !== asked.asker.uid));
    const may = allows(await ask({ ...asked, asker: other, capabilities: ["CAP_IAM_ROLE_BINDINGS_LIST"] }));
    const query = new URLSearchParams([
      ["uid", asked.uid],
      ["capabilities", asked.capabilities[0] ?? ""],
      ["identity", asked.asker.uid],
    ]);
    const { status } = await world.service.call("GET", `/access/v1/decisions?${query}`, {
      token: other.token,
    });
    expect([asked.uid, other.uid, status]).toEqual([asked.uid, other.uid, may ? 200 : 403]);
  });
});

test("an eligible grant changes no answer until it is switched on, and nothing is left of it when it is off", async () => {
  const people = askers.filter(({ home }) => home === undefined);
  let gave = 0;
  await always(async () => {
    const asked = { ...question(), asker: one(people) };
    const [near, role] = [one([...ancestorsOf(asked.uid), asked.uid]), anyRole()];
    const facts = async () => {
      const { decision, missing, bindings: because = [] } = await ask(asked);
      return { decision, missing, because: because.map(({ roleBinding }) => roleBinding) };
    };
    const before = await facts();
    const body = { identityUid: asked.asker.uid, roleUid: role, maxDuration: "3600s" };
    const made = await world.send(ground.owner.token, "eligibleGrants.create", { parent: near, body });
    // They can switch it on there already, from an earlier round.
    if (made.status !== 200) return;
    const uid = String(made.json["uid"]);
    expect(await facts()).toEqual(before);
    const on = await world.send(asked.asker.token, "eligibleGrants.activate", {
      uid,
      body: { duration: "300s", reason: "a law" },
    });
    if (on.status === 200) {
      const during = await facts();
      // The same as what a role binding of this role gives there.
      await world.make(asked.asker, "eligibleGrants.deactivate", { uid, body: {} });
      expect(await facts()).toEqual(before);
      const binding = await grant(near, asked.asker, role);
      expect((await facts()).decision).toBe(during.decision);
      if (binding) await remove(binding);
      if (during.decision !== before.decision) gave += 1;
      // Nobody else can switch it on or off, and it does not exist for them.
      const other = one(people.filter((person) => person !== asked.asker));
      const tried = await world.send(other.token, "eligibleGrants.activate", {
        uid,
        body: { duration: "300s", reason: "not theirs" },
      });
      expect(tried.status).toBe(404);
    } else expect(JSON.stringify(on.json)).toContain("ROLE_HELD");
    await world.make(ground.owner, "eligibleGrants.delete", { uid });
    expect(await facts()).toEqual(before);
  });
  expect(gave).toBeGreaterThan(10);
});

test("what is given by a role that was switched on never outlasts it, and its end ends it for requests too", async () => {
  for (const uid of bindings.keys()) await remove(uid);
  const [holder, friend] = askers.filter(({ home }) => home === undefined);
  for (const group of groups.slice(0, 5)) {
    const owner = builtInRoleUid("owner");
    const end = new Date(Date.now() + 3_000);
    const uid = await ground.create("eligibleGrants", group, {
      identityUid: holder!.uid,
      roleUid: owner,
      maxDuration: "3600s",
      expirationTime: end.toISOString(),
    });
    const body = { duration: "3600s", reason: "a law" };
    const on = await world.make({ ...holder! }, "eligibleGrants.activate", { uid, body });
    expect(on["activation"]).toMatchObject({ endTime: end.toISOString() });
    const give = (expirationTime?: Date) =>
      world.send(holder!.token, "roleBindings.create", {
        parent: group,
        body: {
          identityUid: friend!.uid,
          roleUid: owner,
          ...(expirationTime && { expirationTime: expirationTime.toISOString() }),
        },
      });
    expect((await give()).status).toBe(403);
    expect((await give(new Date(end.getTime() + 1))).status).toBe(403);
    expect((await give(end)).status).toBe(200);
    const asked = { uid: group, asker: holder!, capabilities: ["CAP_IAM_GROUPS_LIST"] };
    expect(allows(await ask(asked))).toBe(true);
    while (Date.now() <= end.getTime()) await new Promise((resolve) => setTimeout(resolve, 50));
    for (const asker of [holder!, friend!]) {
      expect(allows(await ask({ ...asked, asker }))).toBe(false);
      expect((await world.send(asker.token, "groups.get", { uid: group })).status).toBe(403);
    }
    await world.make(ground.owner, "eligibleGrants.delete", { uid });
  }
});
