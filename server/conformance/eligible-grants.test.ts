import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

import { codeName, fieldViolations, preconditionViolations } from "platform-contract/status";

import { builtInRoleUid } from "../domains/access/roles.table";
import type { Answer } from "../testing/app";
import { World, type Input, type Person, type Wire } from "./world";

const [OWNER, EDITOR, VIEWER] = [builtInRoleUid("owner"), builtInRoleUid("editor"), builtInRoleUid("viewer")];
const HOUR_MS = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

let world: World;
let owner: Person;
let ada: Person;
let organization: string;
let folder: string;
let count = 0;

beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.service.stop());
beforeEach(async () => {
  count += 1;
  owner = await world.person(`owner ${count}`);
  ada = await world.person(`ada ${count}`);
  organization = await world.create(owner, "groups", "", { name: `organization ${count}` });
  folder = await world.create(owner, "groups", organization, { name: "folder" });
});

const send = (id: string, input: Input, by: Person = owner) => world.send(by.token, id, input);
const make = (body: Wire = {}, by: Person = owner, parent = folder): Promise<Answer> =>
  send(
    "eligibleGrants.create",
    { parent, body: { identityUid: ada.uid, roleUid: EDITOR, maxDuration: "14400s", ...body } },
    by,
  );
const made = async (body: Wire = {}, by: Person = owner): Promise<string> => {
  const answer = await make(body, by);
  expect(answer.bytes.toString()).toContain("uid");
  return answer.json["uid"] as string;
};
const on = (uid: string, by: Person = ada, body: Wire = {}) =>
  send("eligibleGrants.activate", { uid, body: { duration: "3600s", reason: "On call", ...body } }, by);
const off = (uid: string, by: Person = ada) => send("eligibleGrants.deactivate", { uid, body: {} }, by);
const decide = (verb: "approve" | "decline", uid: string, by: Person, body: Wire) =>
  send(`eligibleGrants.${verb}`, { uid, body }, by);
const approve = async (uid: string, by: Person = owner): Promise<Answer> => {
  const { activation } = await world.make(owner, "eligibleGrants.get", { uid });
  return decide("approve", uid, by, { requestTime: activation?.requestTime ?? new Date().toISOString() });
};
const canCreate = async (by: Person = ada): Promise<boolean> =>
  (await send("repos.create", { parent: folder, body: { name: `repo-${(count += 1)}` } }, by)).status === 200;
const bindings = async (identity = ada.uid): Promise<Wire[]> =>
  (
    await world.make(owner, "roleBindings.list", {
      query: { "uidp.descendants_of": organization, identity },
    })
  )["roleBindings"] ?? [];

/** The name of a refusal, the types of its violations, and the fields. */
const refusal = (answer: Answer) =>
  answer.status === 200
    ? "done"
    : [
        codeName(answer.json.code),
        ...preconditionViolations(answer.json).map(({ type }) => type),
        ...fieldViolations(answer.json).map(({ field }) => field),
      ];
const activationIn = ({ json }: Answer): Wire => json["activation"] as Wire;
const newest = async (most = 1): Promise<Wire[]> =>
  (
    await world.make(owner, "auditEntries.list", {
      query: { "uidp.descendants_of": organization, order_by: "created_at desc", page_size: `${most}` },
    })
  )["auditEntries"];

/** A person who may see and give roles in the folder, and what else they are given. */
const giver = (name: string, capabilities: readonly string[] = []): Promise<Person> =>
  world.holder(
    owner,
    `${name} ${count}`,
    ["role_bindings.create", "role_bindings.list", ...capabilities],
    folder,
  );

test("gives nothing until it is switched on, then an ordinary role binding that ends, and nothing once it is off", async () => {
  const uid = await made({ description: "Incidents" });
  expect(await canCreate()).toBe(false);
  expect(await bindings()).toEqual([]);
  const decision = await world.make(ada, "accessDecisions.get", {
    query: { uid: folder, capabilities: "repo.create" },
  });
  expect(decision).toMatchObject({
    decision: "DECISION_DENIED",
    bindings: [],
    eligibleGrants: [{ eligibleGrant: uid, group: folder, groupName: "folder", roleName: "editor" }],
  });
  const own = await world.make(ada, "eligibleGrants.own");
  expect(own["eligibleGrants"]).toMatchObject([
    { uid, maxDuration: "14400s", group: { name: "folder" }, role: { name: "editor" }, madeBy: owner.uid },
  ]);
  expect(own["eligibleGrants"][0]).not.toHaveProperty("activation");

  const before = Date.now();
  const active = await world.make(ada, "eligibleGrants.activate", {
    uid,
    body: { duration: "3600s", reason: "  The registry answers slowly " },
  });
  expect(active["activation"]).toMatchObject({
    state: "ACTIVATION_STATE_ACTIVE",
    duration: "3600s",
    reason: "The registry answers slowly",
  });
  const end = Date.parse(active["activation"].endTime);
  expect(Math.abs(end - before - HOUR_MS)).toBeLessThan(60_000);
  const [binding, ...none] = await bindings();
  expect(none).toEqual([]);
  expect(binding).toMatchObject({
    uid: active["activation"].roleBinding,
    roleUid: EDITOR,
    expirationTime: active["activation"].endTime,
  });
  expect(await canCreate()).toBe(true);
  const found = (await newest(3)).find(({ action }) => action === "eligibleGrants.activate");
  expect(found).toMatchObject({
    action: "eligibleGrants.activate",
    actor: { uid: ada.uid },
    record: { kind: "eligibleGrants", uid, group: folder },
    justification: "The registry answers slowly",
    related: [{ record: { kind: "roleBindings", uid: binding!["uid"] }, change: "created" }],
  });

  expect(refusal(await off(uid))).toBe("done");
  expect(await canCreate()).toBe(false);
  expect(await bindings()).toEqual([]);
  expect((await newest(3)).find(({ action }) => action === "eligibleGrants.deactivate")).toMatchObject({
    actor: { uid: ada.uid },
    related: [{ record: { uid: binding!["uid"] }, change: "deleted" }],
  });
  // Switching off is not leaving: it can be switched on again.
  expect(refusal(await on(uid))).toBe("done");
  expect(await canCreate()).toBe(true);
});

test("ends by itself", async () => {
  const uid = await made();
  expect(refusal(await on(uid))).toBe("done");
  vi.useFakeTimers({ now: Date.now() + HOUR_MS + 1_000, toFake: ["Date"] });
  try {
    const { activation } = await world.make(owner, "eligibleGrants.get", { uid });
    expect(activation).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

describe("making one", () => {
  test("needs what a role binding needs: the capability, the whole role, and for as long", async () => {
    const half = await giver("half", ["repo.list"]);
    expect(refusal(await world.unchanged(() => make({}, half)))).toEqual(["PERMISSION_DENIED"]);
    const viewer = await world.person(`viewer ${count}`);
    await world.bind(owner, folder, viewer.uid, "viewer");
    expect(refusal(await make({}, viewer))).toEqual(["PERMISSION_DENIED"]);
    const guest = await world.person(`guest ${count}`);
    await world.make(owner, "roleBindings.create", {
      parent: folder,
      body: { identityUid: guest.uid, roleUid: OWNER, expirationTime: inHours(5) },
    });
    expect(refusal(await make({}, guest))).toEqual(["PERMISSION_DENIED", "expirationTime"]);
    expect(refusal(await make({ expirationTime: inHours(6) }, guest))).toEqual([
      "PERMISSION_DENIED",
      "expirationTime",
    ]);
    expect(refusal(await make({ expirationTime: inHours(4) }, guest))).toBe("done");
  });

  test("refuses machines, strangers' records, and durations out of bounds, at their fields", async () => {
    const bot = await world.create(owner, "identities", folder, { name: "bot", ...world.claims("bot") });
    expect(refusal(await make({ identityUid: bot }))).toEqual(["INVALID_ARGUMENT", "identityUid"]);
    expect(refusal(await make({ identityUid: "0".repeat(40) }))).toEqual(["INVALID_ARGUMENT", "identityUid"]);
    expect(refusal(await make({ roleUid: `${organization}/${"0".repeat(16)}` }))).toEqual([
      "INVALID_ARGUMENT",
      "roleUid",
    ]);
    for (const maxDuration of ["60s", "86401s", "4h", undefined])
      expect(refusal(await make({ maxDuration }))).toEqual(["INVALID_ARGUMENT", "maxDuration"]);
    expect(refusal(await make({ expirationTime: inHours(-1) }))).toEqual([
      "INVALID_ARGUMENT",
      "expirationTime",
    ]);
    await made();
    expect(refusal(await make())).toEqual(["ALREADY_EXISTS", "roleUid"]);
  });

  test("by an owner who left stands, as a role binding does", async () => {
    const other = await world.person(`other ${count}`);
    const binding = await world.bind(owner, folder, other.uid, "owner");
    const uid = await made({}, other);
    await world.make(owner, "roleBindings.delete", { uid: binding["uid"] });
    expect(refusal(await on(uid))).toBe("done");
  });

  test("deleting it ends what is switched on; its role cannot be deleted before; it goes with its folder", async () => {
    const role = await world.create(owner, "roles", organization, {
      name: "ops",
      capabilities: ["repo.create"],
    });
    const uid = await made({ roleUid: role });
    expect(refusal(await send("roles.delete", { uid: role }))).toEqual([
      "FAILED_PRECONDITION",
      "RESOURCE_IN_USE",
    ]);
    expect(refusal(await on(uid))).toBe("done");
    expect(refusal(await send("eligibleGrants.delete", { uid }))).toBe("done");
    expect(await canCreate()).toBe(false);
    expect(refusal(await send("roles.delete", { uid: role }))).toBe("done");
    const empty = await world.create(owner, "groups", organization, { name: "empty" });
    expect(refusal(await make({}, owner, empty))).toBe("done");
    expect(refusal(await send("groups.delete", { uid: empty }))).toBe("done");
  });
});

describe("switching it on", () => {
  test("is for its person alone; for everybody else it does not exist", async () => {
    const uid = await made();
    const eve = await world.person(`eve ${count}`);
    for (const person of [owner, eve])
      expect(refusal(await world.unchanged(() => on(uid, person)))).toEqual(["NOT_FOUND"]);
    expect(refusal(await off(uid, eve))).toEqual(["PERMISSION_DENIED"]);
    expect((await world.make(eve, "eligibleGrants.own"))["eligibleGrants"] ?? []).toEqual([]);
  });

  test("needs a reason and a duration that it allows, and no more than until its end", async () => {
    const uid = await made({ expirationTime: inHours(0.5) });
    expect(refusal(await on(uid, ada, { reason: " " }))).toEqual(["INVALID_ARGUMENT", "reason"]);
    expect(refusal(await on(uid, ada, { duration: "14401s" }))).toEqual(["INVALID_ARGUMENT", "duration"]);
    expect(refusal(await on(uid, ada, { duration: "1s" }))).toEqual(["INVALID_ARGUMENT", "duration"]);
    const answer = await on(uid);
    // An hour was asked for.
    expect(activationIn(answer)["endTime"]).toBe(answer.json["expirationTime"]);
    await off(uid);
    vi.useFakeTimers({ now: Date.now() + HOUR_MS, toFake: ["Date"] });
    try {
      expect(refusal(await on(uid))).toEqual(["FAILED_PRECONDITION", "ELIGIBLE_GRANT_ENDED"]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("twice at once makes one role binding, and a second time is refused", async () => {
    const uid = await made();
    const answers = await Promise.all([on(uid), on(uid), on(uid)]);
    expect(answers.map(refusal).filter((one) => one === "done")).toHaveLength(1);
    expect(await bindings()).toHaveLength(1);
    expect(refusal(await on(uid))).toEqual(["FAILED_PRECONDITION", "ELIGIBLE_GRANT_ACTIVE"]);
  });

  test("is refused to who has the role there already", async () => {
    const uid = await made();
    await world.bind(owner, folder, ada.uid, "editor");
    expect(refusal(await on(uid))).toEqual(["FAILED_PRECONDITION", "ROLE_HELD"]);
  });

  test("needs a second factor in the token, if it says so", async () => {
    const uid = await made({ requireSecondFactor: true });
    const answer = await world.unchanged(() => on(uid));
    expect(refusal(answer)).toEqual(["FAILED_PRECONDITION", "SECOND_FACTOR_REQUIRED"]);
    const token = await world.service.token(`ada ${count}`, { amr: ["pwd", "otp", "mfa"] }, { seconds: 600 });
    expect(await world.make({ ...ada, token }, "eligibleGrants.own")).toMatchObject({ secondFactor: true });
    expect(refusal(await on(uid, { ...ada, token }))).toBe("done");
  });

  test("gives the role as it is then", async () => {
    const role = await world.create(owner, "roles", organization, {
      name: "ops",
      capabilities: ["repo.list"],
    });
    const uid = await made({ roleUid: role });
    await world.make(owner, "roles.update", {
      uid: role,
      body: { capabilities: ["repo.list", "repo.create"] },
    });
    expect(refusal(await on(uid))).toBe("done");
    expect(await canCreate()).toBe(true);
  });

  test("what is given meanwhile ends with it: nobody gives more time than they have", async () => {
    const uid = await made({ roleUid: OWNER });
    const { endTime, roleBinding: own } = activationIn(await on(uid));
    const eve = await world.person(`eve ${count}`);
    const bind = (more: Wire) =>
      send(
        "roleBindings.create",
        { parent: folder, body: { identityUid: eve.uid, roleUid: VIEWER, ...more } },
        ada,
      );
    expect(refusal(await bind({}))).toEqual(["PERMISSION_DENIED", "expirationTime"]);
    expect(refusal(await bind({ expirationTime: inHours(2) }))).toEqual([
      "PERMISSION_DENIED",
      "expirationTime",
    ]);
    // Their own included.
    const longer = await send("roleBindings.update", { uid: own, body: { expirationTime: inHours(2) } }, ada);
    expect(refusal(longer)).toEqual(["PERMISSION_DENIED", "expirationTime"]);
    expect(refusal(await make({ identityUid: eve.uid }, ada))).toEqual([
      "PERMISSION_DENIED",
      "expirationTime",
    ]);
    expect(
      refusal(
        await send("groupInvites.create", { parent: folder, body: { roleUid: VIEWER, ttl: "3600s" } }, ada),
      ),
    ).toEqual(["PERMISSION_DENIED"]);
    expect(refusal(await bind({ expirationTime: endTime }))).toBe("done");
  });
});

describe("approval", () => {
  test("by somebody else creates the role binding, which ends that long after the approval", async () => {
    const uid = await made({ requireApproval: true });
    expect(activationIn(await on(uid))).toMatchObject({
      state: "ACTIVATION_STATE_WAITING",
      reason: "On call",
    });
    expect(await bindings()).toEqual([]);
    expect(refusal(await on(uid))).toEqual(["FAILED_PRECONDITION", "ELIGIBLE_GRANT_WAITING"]);
    const waiting = await world.make(owner, "eligibleGrants.list", {
      query: { "uidp.descendants_of": organization, activation_state: "ACTIVATION_STATE_WAITING" },
    });
    expect(waiting["eligibleGrants"]).toMatchObject([{ uid }]);
    const answer = await approve(uid);
    expect(answer.json["activation"]).toMatchObject({
      state: "ACTIVATION_STATE_ACTIVE",
      decidedBy: owner.uid,
      decidedByName: `owner ${count}`,
    });
    expect(await canCreate()).toBe(true);
    expect(refusal(await approve(uid))).toEqual(["FAILED_PRECONDITION", "ELIGIBLE_GRANT_IDLE"]);
  });

  test("never of oneself, nor by a machine, nor without what the role can do, nor for longer than one has", async () => {
    const uid = await made({ requireApproval: true, roleUid: OWNER });
    const own = await world.bind(owner, organization, ada.uid, "owner");
    await on(uid);
    expect(refusal(await world.unchanged(() => approve(uid, ada)))).toEqual(["PERMISSION_DENIED"]);
    await world.make(owner, "roleBindings.delete", { uid: own["uid"] });
    const half = await giver("half");
    expect(refusal(await world.unchanged(() => approve(uid, half)))).toEqual(["PERMISSION_DENIED"]);
    const bot = await world.create(owner, "identities", folder, {
      name: "bot",
      ...world.claims(`bot ${count}`),
    });
    await world.bind(owner, folder, bot, "owner");
    const robot = { uid: bot, token: await world.machine(`bot ${count}`) };
    expect(refusal(await world.unchanged(() => approve(uid, robot)))).toEqual(["PERMISSION_DENIED"]);
    const guest = await world.person(`guest ${count}`);
    await world.make(owner, "roleBindings.create", {
      parent: folder,
      body: { identityUid: guest.uid, roleUid: OWNER, expirationTime: inHours(0.5) },
    });
    expect(refusal(await world.unchanged(() => approve(uid, guest)))).toEqual([
      "PERMISSION_DENIED",
      "expirationTime",
    ]);
  });

  test("is of the request that was read, not of one in its place", async () => {
    const uid = await made({ requireApproval: true });
    const { requestTime: first } = activationIn(await on(uid));
    expect(refusal(await off(uid))).toBe("done");
    await new Promise((done) => setTimeout(done, 5));
    await on(uid, ada, { reason: "Another matter" });
    expect(refusal(await decide("approve", uid, owner, { requestTime: first }))).toEqual([
      "FAILED_PRECONDITION",
      "ELIGIBLE_GRANT_IDLE",
    ]);
  });

  test("and its refusal at once: one counts", async () => {
    const uid = await made({ requireApproval: true });
    const { requestTime } = activationIn(await on(uid));
    const answers = await Promise.all([
      decide("approve", uid, owner, { requestTime }),
      decide("decline", uid, owner, { reason: "Not now" }),
    ]);
    expect(answers.map(refusal).filter((one) => one === "done")).toHaveLength(1);
    expect(await bindings()).toHaveLength(answers[0]!.status === 200 ? 1 : 0);
  });

  test("declined: the person reads why, and can ask again", async () => {
    const uid = await made({ requireApproval: true });
    await on(uid);
    expect(refusal(await decide("decline", uid, owner, { reason: "" }))).toEqual([
      "INVALID_ARGUMENT",
      "reason",
    ]);
    await decide("decline", uid, owner, { reason: "The incident is over" });
    expect((await world.make(ada, "eligibleGrants.own"))["eligibleGrants"]).toMatchObject([
      { activation: { state: "ACTIVATION_STATE_DECLINED", answer: "The incident is over" } },
    ]);
    expect(activationIn(await on(uid))["state"]).toBe("ACTIVATION_STATE_WAITING");
  });

  test("counts as the second person that a guard rail asks for", async () => {
    await world.create(owner, "guardRails", organization, {
      kind: "GUARD_RAIL_KIND_SECOND_PERSON",
      mode: "GUARD_RAIL_MODE_REFUSE",
      roles: [EDITOR],
    });
    expect(refusal(await make())).toEqual(["FAILED_PRECONDITION", "GUARD_RAIL", "roleUid"]);
    const uid = await made({ requireApproval: true });
    await on(uid);
    expect(refusal(await approve(uid))).toBe("done");
  });
});

test("guard rails are asked again when it is switched on, and the reason is the one that they ask for", async () => {
  const uid = await made();
  await world.create(owner, "guardRails", organization, {
    kind: "GUARD_RAIL_KIND_REASON_REQUIRED",
    mode: "GUARD_RAIL_MODE_REFUSE",
  });
  expect(refusal(await on(uid))).toBe("done");
  await off(uid);
  await world.create(owner, "guardRails", organization, {
    kind: "GUARD_RAIL_KIND_SECOND_PERSON",
    mode: "GUARD_RAIL_MODE_REFUSE",
    roles: [EDITOR],
  });
  expect(refusal(await world.unchanged(() => on(uid)))).toEqual(["FAILED_PRECONDITION", "GUARD_RAIL"]);
});
