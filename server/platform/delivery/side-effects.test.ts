import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import type { Ground } from "../../conformance/ground";
import type { Person, Wire, World } from "../../conformance/world";
import { recordSignIn } from "../oidc/upstream-accounts";
import { sweep } from "../store/maintenance";
import { findProvider } from "../../domains/federation/identity-providers.table";
import { builtInRoleUid } from "../../domains/access/roles.table";
import { personUid } from "../store/uids";
import { Listeners, short } from "./testing";

let listeners: Listeners;
let ground: Ground;
let world: World;
let owner: Person;
let folder: string;
let organization: string;
const taken = () => listeners.taken();
const told = () => listeners.told();

beforeAll(async () => {
  listeners = await Listeners.open();
  ({ ground, world, owner, folder, organization } = listeners);
});
afterAll(() => world.service.stop());
beforeEach(() => world.service.database.query("delete from event_deliveries"));

const machine = async (name: string) =>
  ground.create("identities", folder, { name, ...world.claims(`${name} of outbox`) });

test("several bindings in one request are one event, with all of them", async () => {
  const bots = [await machine("one"), await machine("two")];
  await taken();
  const answer = await world.make(owner, "roleBindings.batchCreate", {
    body: {
      parent: folder,
      requests: bots.map((identityUid) => ({ roleBinding: { identityUid } })),
      roleUid: builtInRoleUid("viewer"),
    },
  });
  const stored = await taken();
  expect(stored.map(({ to }) => to).toSorted()).toEqual([listeners.everywhere, listeners.below].toSorted());
  expect(stored[0]?.event).toMatchObject({
    type: "dev.chainguard.api.iam.rolebindings.created.batch.v1",
    source: `${world.service.url}/iam/v2/roleBindings:batchCreate`,
    subject: folder,
    group: folder,
    data: { body: answer },
  });
  expect(answer["roleBindings"]).toHaveLength(2);
  await world.make(owner, "identities.delete", { uid: bots[0]! });
  const gone = (answer["roleBindings"] as Wire[])[0]!["uid"] as string;
  expect(await told()).toEqual(
    [`iam.identity.deleted ${bots[0]}`, `iam.rolebindings.deleted ${gone}`].toSorted(),
  );
});

test("a repo tells of its readme, its copies and its tags", async () => {
  const uid = await ground.create("repos", folder, { name: "source" });
  const copy = await ground.create("repos", folder, { name: "copy", sync_config: { source: uid } });
  const tag = { name: "latest", digest: `sha256:${"1".repeat(64)}` };
  const [one, two] = [
    await ground.create("tags", uid, tag),
    await ground.create("tags", uid, { ...tag, name: "2" }),
  ];
  await taken();
  const readme = await world.make(owner, "repos.updateReadme", { uid, body: { content: "# Hello" } });
  const [stored] = await taken();
  expect(stored?.event).toMatchObject({
    type: "dev.chainguard.api.platform.registry.repo.updated.v1",
    subject: uid,
    group: folder,
    data: { body: readme },
  });
  await world.make(owner, "repos.updateReadme", { uid, body: { content: "# Hello" } });
  await world.make(owner, "tags.create", { parent: uid, body: tag });
  expect(await told()).toEqual([]);
  await world.make(owner, "tags.create", {
    parent: uid,
    body: { ...tag, digest: `sha256:${"2".repeat(64)}` },
  });
  expect(await told()).toEqual([`platform.registry.tag.created ${one}`]);
  await world.make(owner, "repos.update", { uid, body: { catalogTier: "CATALOG_TIER_AI" } });
  expect(await told()).toEqual(
    [uid, copy].map((repo) => `platform.registry.repo.updated ${repo}`).toSorted(),
  );
  await world.make(owner, "repos.delete", { uid });
  expect(await told()).toEqual(
    [
      `platform.registry.repo.deleted ${uid}`,
      `platform.registry.repo.updated ${copy}`,
      `platform.registry.tag.deleted ${one}`,
      `platform.registry.tag.deleted ${two}`,
    ].toSorted(),
  );
});

test("an invite that is redeemed is a binding by whoever came, and is gone where it was for one", async () => {
  const { uid, code } = await world.make(owner, "groupInvites.create", {
    parent: folder,
    body: { roleUid: builtInRoleUid("viewer"), ttl: "3600s", singleUse: true },
  });
  await taken();
  const guest = await world.person("guest of outbox");
  await world.make(guest, "groupInvites.register", { body: { code, validateOnly: true } });
  expect(await taken()).toEqual([]);
  await world.make(guest, "groupInvites.register", { body: { code } });
  const events = await listeners.takenBy(listeners.below);
  expect(events.map(({ type }) => short(type)).toSorted()).toEqual([
    "iam.group_invite.deleted",
    "iam.rolebindings.created",
  ]);
  expect(events.map((event) => [event["actor"], event["source"]])).toEqual(
    events.map(() => [guest.uid, `${world.service.url}/auth/v1/register`]),
  );
  expect(JSON.stringify(events)).not.toContain(code);
  await world.make(guest, "groupInvites.register", { body: { code } });
  expect([await taken(), uid.startsWith(folder)]).toEqual([[], true]);
});

test("a sign-in tells of the roles that it gives and takes; a mapping of those that it moves", async () => {
  const { config, database } = world.service;
  const parent = await ground.create(
    "identityProviders",
    folder,
    ground.samples.get("identityProviders")!.made,
  );
  const mapping = await ground.create("externalGroupRoleMappings", parent, {
    externalGroupId: "staff",
    roleUid: builtInRoleUid("editor"),
    scope: organization,
  });
  const provider = (await findProvider(database, parent))!;
  const signIn = (groups: string[]) =>
    recordSignIn(database, config, provider, {
      subject: "ada",
      email: "",
      emailVerified: false,
      name: "Ada",
      groups,
    });
  await taken();
  const account = await signIn(["staff"]);
  const identity = personUid(config.issuer, account!);
  const given = await listeners.takenBy(listeners.everywhere);
  expect(
    given.map((event) => [short(event["type"]), event["group"], event["actor"], event["source"]]).toSorted(),
  ).toEqual(
    [folder, organization]
      .map((group) => ["iam.rolebindings.created", group, identity, config.issuer])
      .toSorted(),
  );
  await signIn(["staff"]);
  expect(await taken()).toEqual([]);
  const bound = given.find((event) => event["group"] === organization)!["subject"] as string;
  await world.make(owner, "externalGroupRoleMappings.update", {
    uid: mapping,
    body: { roleUid: builtInRoleUid("viewer") },
  });
  const moved = await taken();
  expect(moved.map(({ event }) => short(event["type"])).toSorted()).toEqual([
    "iam.rolebindings.created",
    "iam.rolebindings.deleted",
  ]);
  expect(moved.some(({ event }) => event["subject"] === bound)).toBe(true);
  await signIn([]);
  expect((await told()).map((line) => line.split(" ")[0])).toEqual(["iam.rolebindings.deleted"]);
});

test("terms that are accepted are told with the acceptance, once", async () => {
  const room = await world.room(owner, "terms", folder);
  await ground.create("terms", room, ground.samples.get("terms")!.made);
  await taken();
  const accept = () => world.make(owner, "terms.accept", { parent: room, body: { documentIds: ["old.v1"] } });
  const answer = await accept();
  const [stored] = await taken();
  expect(stored?.event).toMatchObject({
    type: "dev.chainguard.api.iam.terms.accepted.v1",
    source: `${world.service.url}/iam/v2/terms`,
    subject: room,
    group: room,
    data: { body: answer },
  });
  await accept();
  expect(await taken()).toEqual([]);
});

test("what goes with a group is told with it, and what has expired is removed by nobody", async () => {
  const place = await ground.create("groups", folder, { name: "place" });
  await ground.create("accountAssociations", place, { name: "accounts" });
  const invite = { roleUid: builtInRoleUid("viewer"), ttl: "3600s" };
  const [lapsed, swept] = [
    await ground.create("groupInvites", place, invite),
    await ground.create("groupInvites", folder, invite),
  ];
  const { database } = world.service;
  await database.query("update group_invites set expires_at = now() - interval '31 days'");
  await taken();
  await world.make(owner, "groups.delete", { uid: place });
  expect(await told()).toEqual(
    [
      `iam.group.deleted ${place}`,
      `iam.account_associations.deleted ${place}`,
      `iam.group_invite.deleted ${lapsed}`,
    ].toSorted(),
  );
  await sweep(database);
  const [stored] = await taken();
  expect(stored?.event).toMatchObject({
    subject: swept,
    source: world.service.url,
    data: { body: { uid: swept } },
  });
  expect(stored?.event).not.toHaveProperty("actor");
});

test("another organization hears nothing of this one", async () => {
  const stranger = await world.person("stranger");
  const other = await world.create(stranger, "groups", "", { name: "other" });
  const { uid } = await world.make(stranger, "subscriptions.create", {
    parent: other,
    body: { sink: "http://127.0.0.1:9/other" },
  });
  await taken();
  await ground.create("groups", folder, { name: "news" });
  expect((await taken()).map(({ to }) => to)).not.toContain(uid);
  await world.make(stranger, "groups.create", { parent: other, body: { name: "theirs" } });
  expect((await taken()).map(({ to }) => to)).toEqual([uid]);
});
