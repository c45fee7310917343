import { afterAll, beforeAll, expect, test } from "vitest";

import { codeName } from "platform-contract/status";

import { builtInRoleUid } from "../domains/access/roles.table";
import { AttackFixture } from "./attack-fixture";
import type { Person, Wire, World } from "./world";

const OWNER = builtInRoleUid("owner");
const VIEWER = builtInRoleUid("viewer");
const INVITE = ["group_invites.create", "group_invites.list", "role_bindings.create"];

let cast: AttackFixture;
let world: World;
let owner: Person;
let folder: string;
/** Can read everything in the folder and invite people there, nothing else. */
let inviter: Person;
/** An invite from the owner to another person: the owner role. */
let strong: Wire;

beforeAll(async () => {
  cast = await AttackFixture.open();
  ({ world, owner, folder } = cast);
  inviter = await world.holder(owner, "inviter", INVITE, folder);
  await world.bind(owner, folder, inviter.uid, "viewer");
  strong = await invite(owner, { roleUid: OWNER, email: "boss@example.com" });
});
afterAll(() => world.service.stop());

const send = ({ token }: Person, body: Wire, parent = folder) =>
  world.send(token, "groupInvites.create", { parent, body: { ttl: "600s", ...body } });
const invite = async (by: Person, body: Wire, parent = folder): Promise<Wire> => {
  const answer = await send(by, body, parent);
  expect([answer.status, answer.json.message]).toEqual([200, undefined]);
  return answer.json;
};
const patch = ({ token }: Person, uid: string, body: Wire, query = {}) =>
  world.send(token, "groupInvites.update", { uid, body, query });
const redeem = (token: string, code: string) =>
  world.send(token, "groupInvites.register", { body: { code } });
/** Expects the code to grant nothing. */
async function closed(token: string, { code }: Wire): Promise<void> {
  // The first call of a caller records them.
  await world.send(token, "ping.ping");
  await cast.fails("NOT_FOUND", [], () => redeem(token, code));
}

test("what an inviter may give, they may give by an invite", async () => {
  const { code } = await invite(inviter, { roleUid: VIEWER });
  const friend = await world.person("friend");
  expect((await redeem(friend.token, code)).status).toBe(200);
  expect(await cast.opens(friend.token)).toBe(true);
});

test("a role that holds more", async () => {
  await cast.denied(() => send(inviter, { roleUid: OWNER }));
  await cast.denied(() => send(inviter, { role_uid: builtInRoleUid("editor") }));
});

test("a role that is held, in the group above or beside", async () => {
  for (const group of [cast.organization, cast.sibling])
    await cast.denied(() => send(inviter, { roleUid: VIEWER }, group));
});

test("invites alone, without the right to bind", async () => {
  const half = await world.holder(owner, "half", ["group_invites.create"], folder);
  await world.bind(owner, folder, half.uid, "viewer");
  await cast.denied(() => send(half, { roleUid: VIEWER }));
});

test("another role for an invite of one's own, in either spelling and by a mask", async () => {
  const { uid } = await invite(inviter, { roleUid: VIEWER });
  await cast.denied(() => patch(inviter, uid, { roleUid: OWNER }));
  await cast.denied(() => patch(inviter, uid, { role_uid: OWNER }, { update_mask: "role_uid" }));
  await cast.denied(() => patch(inviter, uid, { roleUid: OWNER }, { updateMask: "*" }));
});

test("somebody else's strong invite opened to oneself, or kept alive", async () => {
  await cast.denied(() => patch(inviter, strong["uid"], { email: "inviter@example.com" }));
  await cast.denied(() => patch(inviter, strong["uid"], { email: "" }, { updateMask: "email" }));
  await cast.denied(() => patch(inviter, strong["uid"], { ttl: "2592000s" }));
  await cast.denied(() => patch(inviter, strong["uid"], { singleUse: false }));
});

test("a role of another organization, of a group beside, or none, in the same words", async () => {
  const elsewhere = await cast.elsewhere();
  const body = { name: "beside", capabilities: ["groups.list"] };
  const beside = await world.create(owner, "roles", cast.sibling, body);
  const words = new Set<string>();
  for (const roleUid of [elsewhere.role, beside, `${folder}/${"0".repeat(16)}`])
    await cast.invalid("roleUid", async () => {
      const answer = await send(owner, { roleUid });
      words.add(answer.json.message);
      return answer;
    });
  expect(words.size).toBe(1);
});

test("a role that grew since, beyond what its inviter holds", async () => {
  const body = { name: "grows", capabilities: ["groups.list"] };
  const roleUid = await world.create(owner, "roles", folder, body);
  const made = await invite(inviter, { roleUid });
  const capabilities = ["groups.list", "groups.delete"];
  await world.make(owner, "roles.update", { uid: roleUid, body: { capabilities } });
  await closed(cast.outsider.token, made);
  // Once the owner updates it, it relies on the owner's rights.
  expect((await patch(owner, made["uid"], { singleUse: true })).status).toBe(200);
  expect((await redeem(cast.outsider.token, made["code"])).status).toBe(200);
});

test("a way back in for an inviter who has lost their rights", async () => {
  const leaver = await world.holder(owner, "leaver", INVITE, folder);
  const { uid: binding } = await world.bind(owner, folder, leaver.uid, "owner");
  const made = await invite(leaver, { roleUid: OWNER });
  await world.make(owner, "roleBindings.delete", { uid: binding });
  await closed(leaver.token, made);
  await closed((await world.person("second account")).token, made);
});

test("a way back in for somebody who was removed, by the code that they came with", async () => {
  const guest = await world.person("guest");
  const { code } = await invite(owner, { roleUid: VIEWER, singleUse: true });
  await world.make(guest, "groupInvites.register", { body: { code } });
  const { roleBindings } = await world.make(owner, "roleBindings.list", { query: { identity: guest.uid } });
  await world.make(owner, "roleBindings.delete", { uid: roleBindings[0].uid });
  await closed(guest.token, { code });
  expect(await cast.opens(guest.token)).toBe(false);
});

test("an invite whose inviter is gone, or whose role is", async () => {
  const bot = await cast.identity(owner, folder, "inviting-bot", world.claims("inviting-bot"));
  await world.bind(owner, folder, bot, "owner");
  const token = await world.machine("inviting-bot");
  const made = await invite({ uid: bot, token }, { roleUid: OWNER });
  await world.make(owner, "identities.delete", { uid: bot });
  await closed(cast.outsider.token, made);
  const body = { name: "goes", capabilities: ["groups.list"] };
  const roleUid = await world.create(owner, "roles", folder, body);
  const roleless = await invite(owner, { roleUid });
  await world.make(owner, "roles.delete", { uid: roleUid });
  await closed(cast.outsider.token, roleless);
  expect(await world.make(owner, "groupInvites.get", { uid: roleless["uid"] })).not.toHaveProperty("role");
});

test("a code in the hands of a machine, which says whatever its issuer lets it say", async () => {
  const made = await invite(owner, { roleUid: VIEWER });
  await closed(await world.machine("friend"), made);
  await closed(await world.service.token("automation"), made);
});

test("another person's invite, by an email that is almost theirs", async () => {
  for (const email of ["boss@example.com.evil", "boss@example.co", " boss@example.com ", ""]) {
    const token = await world.service.token(`mallory ${email}`, { email });
    await closed(token, strong);
  }
  const boss = await world.service.token("boss", { email: "Boss@Example.com" });
  expect((await redeem(boss, strong["code"])).status).toBe(200);
});

test("a refusal says nothing of what exists", async () => {
  const gone = `${folder}/${"0".repeat(16)}`;
  const [there, nowhere] = await Promise.all(
    [strong["uid"] as string, gone].map((uid) => patch(cast.outsider, uid, { email: "" })),
  );
  expect(codeName(there!.json.code)).toBe("PERMISSION_DENIED");
  expect(nowhere!.json.message.replace(gone, strong["uid"])).toBe(there!.json.message);
});
