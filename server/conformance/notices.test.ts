import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { mailEndings } from "../domains/notices/ending-mails";
import { sendEndings } from "../platform/delivery/ending-events";
import { createCompose } from "../platform/mail/compose";
import { textOf } from "../platform/mail/letter";
import { createPost } from "../platform/mail/post";
import { sealedTexts } from "../platform/store/keys/sealed-texts";
import { claimMails } from "../platform/store/mail/outbox";
import { recordAccepted } from "../domains/access/memberships.table";
import { builtInRoleUid as roleUidOf } from "../domains/access/roles.table";
import { AttackFixture } from "./attack-fixture";
import { fieldsOf, type Person, type Wire, type World } from "./world";

let cast: AttackFixture;
let world: World;
let owner: Person;
let organization: string;
let folder: string;
let sibling: string;

beforeAll(async () => {
  cast = await AttackFixture.open();
  ({ world, owner, organization, folder, sibling } = cast);
});
afterAll(() => world.service.stop());

const DAY = 86_400_000;
const START = Date.now();
const inDays = (days: number): string => new Date(START + days * DAY).toISOString();
const endings = async (by: Person): Promise<string[]> =>
  (((await world.make(by, "endings.own"))["endings"] as Wire[] | undefined) ?? []).map(
    ({ topic, name, identityName }) =>
      [topic.replace("NOTICE_TOPIC_", ""), name, identityName].filter(Boolean).join(" "),
  );
/** A binding that ends. */
const ends = async (parent: string, identityUid: string, role: string, days: number): Promise<void> => {
  const body = { identityUid, roleUid: roleUidOf(role), expirationTime: inDays(days) };
  await world.make(owner, "roleBindings.create", { parent, body });
  await recordAccepted(world.service.database, parent, identityUid);
};
const setOwner = (by: Person, uid: string, ownerUid?: string) =>
  world.send(by.token, "machineOwners.set", { uid, body: ownerUid === undefined ? {} : { ownerUid } });

test("a role that ends is told to who has it, a machine's to its owner, and else to the nearest owners of the folder", async () => {
  const [ada, bob] = [await world.person("ada"), await world.person("bob")];
  await ends(folder, ada.uid, "viewer", 20);
  await ends(sibling, ada.uid, "viewer", 40);
  const machine = await cast.identity(owner, folder, "ci", world.claims("ci"));
  await ends(folder, machine, "viewer", 10);
  expect(await endings(ada)).toEqual(["ROLE_BINDINGS viewer ada"]);
  // Nobody owns the machine or the folder: the owner of the organization is told.
  expect(await endings(owner)).toEqual(["ROLE_BINDINGS viewer ci"]);
  await world.bind(owner, folder, bob.uid, "owner");
  expect([await endings(owner), await endings(bob)]).toEqual([[], ["ROLE_BINDINGS viewer ci"]]);
  expect((await setOwner(owner, machine, ada.uid)).json).toMatchObject({
    uid: machine,
    name: "ci",
    ownerUid: ada.uid,
    ownerName: "ada",
  });
  expect([await endings(bob), await endings(ada)]).toEqual([
    [],
    ["ROLE_BINDINGS viewer ci", "ROLE_BINDINGS viewer ada"],
  ]);
  expect(await endings(cast.stranger)).toEqual([]);
  expect(await endings({ uid: machine, token: await world.machine("ci") })).toEqual([]);
});

test("keys, invites, syncs and SCIM tokens are told", async () => {
  const key = {
    kty: "OKP",
    crv: "Ed25519",
    x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    kid: "1",
    use: "sig",
  };
  await world.create(owner, "identities", sibling, {
    name: "robot",
    staticKeys: {
      issuer: "https://keys.example",
      subject: "robot",
      issuerKeys: JSON.stringify({ keys: [key] }),
      expirationTime: inDays(5),
    },
  });
  await world.make(owner, "groupInvites.create", {
    parent: sibling,
    body: { roleUid: roleUidOf("viewer"), ttl: "86400s", email: "eve@example.com" },
  });
  await world.service.database.query("update group_invites set expires_at = $1", [new Date(START + 6 * DAY)]);
  const source = await world.create(owner, "repos", sibling, { name: "base" });
  await world.create(owner, "repos", sibling, { name: "copy", sync_config: { source } });
  await world.service.database.query(
    `update repos set sync = jsonb_set(sync, '{expirationTime}', to_jsonb($1::text)) where name = 'copy'`,
    [inDays(7)],
  );
  expect(await endings(owner)).toEqual(["KEYS robot", "INVITES eve@example.com", "SYNCS copy"]);
  const [keys] = (await world.make(owner, "endings.own"))["endings"];
  expect(Math.abs(Date.parse(keys.latestEndTime) - START - 365 * DAY)).toBeLessThan(DAY / 24);
});

test("an invite is its maker's while they have a role there, and a role that nobody accepted is its folder's", async () => {
  const maker = await world.person("maker");
  const { uid: binding } = await world.bind(owner, sibling, maker.uid, "owner");
  await world.make(maker, "groupInvites.create", {
    parent: sibling,
    body: { roleUid: roleUidOf("viewer"), ttl: "86400s", email: "zoe@example.com" },
  });
  expect(await endings(maker)).toContain("INVITES zoe@example.com");
  expect(await endings(owner)).not.toContain("INVITES zoe@example.com");
  await world.make(owner, "roleBindings.delete", { uid: binding });
  expect(await endings(maker)).toEqual([]);
  expect(await endings(owner)).toContain("INVITES zoe@example.com");
  const guest = await world.person("guest");
  await world.make(owner, "roleBindings.create", {
    parent: sibling,
    body: { identityUid: guest.uid, roleUid: roleUidOf("viewer"), expirationTime: inDays(9) },
  });
  await world.service.database.query("update memberships set state = 'offered' where identity_uid = $1", [
    guest.uid,
  ]);
  expect([await endings(guest), await endings(owner)]).toEqual([
    [],
    expect.arrayContaining(["ROLE_BINDINGS viewer guest"]),
  ]);
});

test("only a person with a role in the organization can own a machine, set by who can edit it", async () => {
  const machine = await cast.identity(owner, folder, "deployer", world.claims("deployer"));
  const reader = await world.person("reader");
  await world.bind(owner, organization, reader.uid, "viewer");
  for (const other of [cast.stranger.uid, machine, "0".repeat(40), "nobody"])
    expect(fieldsOf(await setOwner(owner, machine, other))).toEqual(["ownerUid"]);
  for (const by of [reader, cast.stranger, cast.outsider])
    expect((await setOwner(by, machine, reader.uid)).status).toBe(403);
  expect((await setOwner(owner, `${folder}/${"0".repeat(16)}`, reader.uid)).status).toBe(404);
  // A person is no machine.
  expect((await setOwner(owner, reader.uid, reader.uid)).status).toBe(403);
  expect((await setOwner(owner, machine, reader.uid)).status).toBe(200);
  const listed = async (by: Person, query: Record<string, string>) =>
    ((await world.make(by, "machineOwners.list", { query }))["machineOwners"] as Wire[] | undefined) ?? [];
  expect(await listed(reader, { identity: machine })).toMatchObject([
    { name: "deployer", ownerUid: reader.uid },
  ]);
  expect(await listed(owner, { owner: reader.uid, "uidp.descendants_of": folder })).toHaveLength(1);
  expect(await listed(owner, { "uidp.descendants_of": sibling })).toEqual([]);
  expect(await listed(cast.stranger, {})).toEqual([]);
  const query = { action: "machineOwners.set", "uidp.descendants_of": folder };
  const { auditEntries } = await world.make(owner, "auditEntries.list", { query });
  expect(auditEntries[0]).toMatchObject({
    actor: { uid: owner.uid },
    record: { uid: machine, name: "deployer" },
    changes: [{ field: "ownerUid", after: JSON.stringify(reader.uid) }],
    names: { [reader.uid]: "reader" },
  });
  expect((await setOwner(owner, machine)).json).not.toHaveProperty("ownerUid");
  expect(await listed(owner, { identity: machine })).toEqual([]);
});

test("who has no role in the organization any more owns nothing there", async () => {
  const machine = await cast.identity(owner, sibling, "nightly", world.claims("nightly"));
  const leaver = await world.person("leaver");
  const { uid: binding } = await world.bind(owner, sibling, leaver.uid, "viewer");
  await ends(sibling, machine, "viewer", 3);
  await setOwner(owner, machine, leaver.uid);
  expect(await endings(leaver)).toEqual(["ROLE_BINDINGS viewer nightly"]);
  await world.make(owner, "roleBindings.delete", { uid: binding });
  expect(await endings(leaver)).toEqual([]);
  expect(await endings(owner)).toContain("ROLE_BINDINGS viewer nightly");
});

test("settings are those of one person, and what is wrong with them is said", async () => {
  const ada = await world.person("ada");
  const update = (body: Wire) => world.send(ada.token, "noticeSettings.update", { body });
  const pauseEndTime = inDays(3);
  const mutedTopics = ["NOTICE_TOPIC_SYNCS", "NOTICE_TOPIC_SYNCS"];
  expect((await update({ mutedTopics, pauseEndTime })).json).toEqual({
    mutedTopics: ["NOTICE_TOPIC_SYNCS"],
    pauseEndTime,
  });
  expect(await world.make(owner, "noticeSettings.get")).toEqual({});
  expect(fieldsOf(await update({ mutedTopics: ["SYNCS"], pauseEndTime: "soon" }))).toEqual([
    "mutedTopics[0]",
    "pauseEndTime",
  ]);
  expect(fieldsOf(await update({ pauseEndTime: inDays(-1) }))).toEqual(["pauseEndTime"]);
  expect((await update({})).json).toEqual({});
  const machine = await world.machine("ci");
  expect((await world.send(machine, "noticeSettings.get")).status).toBe(404);
  expect((await world.send(machine, "noticeSettings.update", { body: {} })).status).toBe(404);
});

test("one mail 30 days, 7 days and one day before, not while paused, nor about what is muted, and once after a kill", async () => {
  const { database, config } = world.service;
  const cleo = await world.person("cleo");
  await ends(folder, cleo.uid, "viewer", 25);
  await ends(sibling, cleo.uid, "editor", 25);
  await database.query(
    `insert into accounts (subject, email, name, password, email_verified_at, created_at, updated_at)
     values ('cleo', 'cleo@example.com', '', 'x', now(), now(), now())`,
  );
  await database.query("update identities set email_unverified = 'cleo@example.com' where uid = $1", [
    cleo.uid,
  ]);
  const compose = createCompose(config, database, sealedTexts(config));
  const post = createPost(() => {});
  /** What is mailed at a time, in two processes at once. */
  const mailed = async (days: number): Promise<string[]> => {
    vi.useFakeTimers({ now: START + days * DAY, toFake: ["Date"] });
    try {
      await Promise.all([mailEndings({ database, post }), mailEndings({ database, post })]);
      const mails = await claimMails(database, { most: 10, lease: 1000 });
      await database.query("delete from mail_outbox");
      return await Promise.all(
        mails.map(async (mail) => {
          const letter = await compose(mail);
          return `${mail.address}: ${letter?.subject}\n${letter ? textOf(letter) : ""}`;
        }),
      );
    } finally {
      vi.useRealTimers();
    }
  };
  expect(await mailed(2)).toEqual([]);
  const [mail = "", ...others] = await mailed(18.1);
  expect(others).toEqual([]);

  expect(mail).toContain("cleo@example.com: 2 things of yours end soon");
  expect(mail).toMatch(/The role "editor" of "cleo" in "sibling" ends on \d+ \w+ \d{4} at \d\d:\d\d UTC\./);
  expect(mail).toContain("/endings");
  expect(await mailed(18.2)).toEqual([]);
  expect(await mailed(19.5)).toEqual([]);
  await database.query("update notice_settings set paused_until = $2 where identity_uid = $1", [
    cleo.uid,
    new Date(START + 24.3 * DAY),
  ]);
  expect(await mailed(24.2)).toEqual([]);
  await database.query(
    "update notice_settings set muted = '{NOTICE_TOPIC_ROLE_BINDINGS}' where identity_uid = $1",
    [cleo.uid],
  );
  expect(await mailed(24.4)).toEqual([]);
  await database.query("update notice_settings set muted = '{}' where identity_uid = $1", [cleo.uid]);
  expect(await mailed(24.5)).toHaveLength(1);
  expect(await mailed(24.6)).toEqual([]);
});

test("a subscription hears 30 days, 7 days and one day before an end, once, and nothing of what is elsewhere", async () => {
  const { database, config } = world.service;
  const dora = await world.person("dora");
  const room = await world.create(owner, "groups", organization, { name: "room" });
  const subscription = await world.create(owner, "subscriptions", room, { sink: "http://127.0.0.1:9/room" });
  await ends(room, dora.uid, "viewer", 25);
  await ends(sibling, dora.uid, "editor", 25);
  const drop = () => database.query("delete from event_deliveries");
  /** What is sent at a time, in two processes at once. */
  const heard = async (days: number): Promise<Wire[]> => {
    await drop();
    vi.useFakeTimers({ now: START + days * DAY, toFake: ["Date"] });
    try {
      const options = { config, database, wake: () => undefined };
      await Promise.all([sendEndings(options), sendEndings(options)]);
    } finally {
      vi.useRealTimers();
    }
    const rows = await database.query<{ event: string }>(
      "select event from event_deliveries where subscription_uid = $1",
      [subscription],
    );
    return rows.map(({ event }) => JSON.parse(event) as Wire);
  };
  expect(await heard(2)).toEqual([]);
  const [event, ...others] = await heard(18.1);
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    type: "platform-console.access.ending.v1",
    group: room,
    data: {
      body: {
        topic: "NOTICE_TOPIC_ROLE_BINDINGS",
        name: "viewer",
        identityName: "dora",
        groupUid: room,
        groupName: "room",
        endTime: inDays(25),
        days: 7,
      },
    },
  });
  expect(event!["subject"]).toBe(event!["data"]["body"]["uid"]);
  expect(event!["data"]["actor"]).toBeUndefined();
  expect(await heard(18.2)).toEqual([]);
  expect(await heard(24.5)).toMatchObject([{ data: { body: { days: 1 } } }]);
  // A service that was down for two weeks tells nothing that is over.
  expect(await heard(40)).toEqual([]);
});
