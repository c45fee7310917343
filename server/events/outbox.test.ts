import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { parentOf, rootOf } from "~/contract/aip";
import { EVENT_TYPES, UNTOLD } from "~/contract/events/event-types";
import { endpoints, resources } from "~/contract/index";

import { changeable, Ground } from "../conformance/ground";
import { collectionAbove, type Person, type Wire, type World } from "../conformance/world";
import { tableOf } from "../handlers/children";
import { recordSignIn } from "../oidc/upstream-accounts";
import { findProvider } from "../store/identity-providers";
import { sweep } from "../store/maintenance";
import { builtInRoleUid } from "../store/roles";
import { personUid } from "../store/uids";

let ground: Ground;
let world: World;
let owner: Person;
let folder: string;
let organization: string;

/** Of organization and folder; nobody listens there, so that what is stored stays. */
let everywhere: string;
let below: string;

beforeAll(async () => {
  ground = await Ground.open();
  ({ world, owner, folder, organization } = ground);
  const subscribe = (parent: string) =>
    ground.create("subscriptions", parent, { sink: `http://127.0.0.1:9/${parent.length}` });
  everywhere = await subscribe(organization);
  below = await subscribe(folder);
});
afterAll(() => world.service.stop());
beforeEach(() => world.service.database.query("delete from event_deliveries"));

interface Stored {
  readonly to: string;
  readonly event: Wire;
}

/** What is to be delivered, in the order in which it was stored; it is gone afterwards. */
async function taken(): Promise<Stored[]> {
  const rows = await world.service.database.query<{ to: string; event: string }>(
    `delete from event_deliveries returning subscription_uid as to, event`,
  );
  return rows.map(({ to, event }) => ({ to, event: JSON.parse(event) as Wire }));
}
/** The same in short, once for each event. */
async function told(): Promise<string[]> {
  const events = (await taken()).filter(({ to }) => to === everywhere).map(({ event }) => event);
  return events.map((event) => `${short(event["type"])} ${event["subject"]}`).toSorted();
}
const short = (type: string) => type.replace(/^dev\.chainguard\.api\./, "").replace(/\.v1$/, "");
const typeOf = (collection: string, on: string) =>
  EVENT_TYPES.find((type) => type.collection === collection && type.on === on && !type.silent);

test("there are 37 types, and every table that they tell of notes its changes", async () => {
  expect(new Set(EVENT_TYPES.map(({ type }) => type)).size).toBe(37);
  const rows = await world.service.database.query<{ name: string }>(
    "select tgrelid::regclass::text as name from pg_trigger where not tgisinternal",
  );
  const noting = [...new Set(rows.map(({ name }) => name))].toSorted();
  const telling = EVENT_TYPES.filter(({ silent }) => !silent).map(({ collection }) => tableOf(collection));
  expect(noting).toEqual([...new Set(telling)].toSorted());
  expect(rows).toHaveLength(noting.length * 3);
});

/** Operations with a body that write nothing, or whose writes are those of another resource. */
const NOTHING_OF_ITS_OWN = ["accountAssociations.checkAccountAssociation", "groupInvites.register"];

const ON: Readonly<Record<string, string>> = { create: "created", update: "updated", delete: "deleted" };

test.each(
  endpoints
    .filter(({ method }) => method !== "GET")
    .map(({ id, collection, verb }) => [id, collection, verb]),
)("%s has an event, or the catalogue has none for it", (id, collection, verb) => {
  const on = ON[verb] ?? id;
  const known = typeOf(collection, on) ?? EVENT_TYPES.find((type) => type.on === id);
  const untold = UNTOLD[collection]?.includes(on) || NOTHING_OF_ITS_OWN.includes(id);
  expect([id, known !== undefined]).toEqual([id, !untold]);
});

describe.each(
  resources.filter((resource) => "create" in resource).map(({ collection, area }) => [collection, area]),
)("%s", (collection, area) => {
  const make = async (body: Wire): Promise<Wire> => {
    const place = ground.places[collectionAbove(collection)] ?? folder;
    const parent = await world.room(owner, collection, place);
    await taken();
    return world.make(owner, `${collection}.create`, { parent, body });
  };
  const sample = () => ground.samples.get(collection)!;

  /** Exactly the one event, to those who are to have it. */
  async function expectOne(on: string, { uid }: Wire, record: Wire): Promise<void> {
    const stored = await taken();
    const type = typeOf(collection, on);
    if (!type) return expect(stored).toEqual([]);
    const group = { self: uid, parent: parentOf(uid), root: rootOf(uid) }[type.group] as string;
    const subscribers = [
      ...(group === organization || group.startsWith(`${organization}/`) ? [everywhere] : []),
      ...(group === folder || group.startsWith(`${folder}/`) ? [below] : []),
    ];
    const own = collection === "subscriptions" && on === "created" ? [uid as string] : [];
    expect(stored.map(({ to }) => to).toSorted()).toEqual([...subscribers, ...own].toSorted());
    const shown = Object.entries(record).filter(([key]) =>
      type.only ? type.only.includes(key) : !type.without?.includes(key),
    );
    const actor = {
      subject: owner.uid,
      act: { iss: world.service.config.issuer, sub: "owner" },
    };
    for (const { event } of stored)
      expect(event).toEqual({
        specversion: "1.0",
        id: stored[0]?.event["id"],
        type: type.type,
        source: `${world.service.url}/${area}/v2/${collection}`,
        subject: uid,
        time: expect.any(String),
        datacontenttype: "application/json",
        group,
        audience: "customer",
        actor: owner.uid,
        ...(collection === "externalGroupRoleMappings" && { identityprovider: parentOf(uid) }),
        data: { actor, body: Object.fromEntries(shown) },
      });
  }

  test("what is created, changed and deleted is told once, to those above, as it then is", async () => {
    const made = await make(sample().made);
    const read = await world.make(owner, `${collection}.get`, { uid: made["uid"] });
    await expectOne("created", made, read);
    if (endpoints.some(({ id }) => id === `${collection}.update`)) {
      const field = Object.keys(changeable(collection, sample()).other)[0]!;
      const body = { [field]: sample().other[field] };
      const changed = await world.make(owner, `${collection}.update`, { uid: made["uid"], body });
      await expectOne("updated", changed, changed);
      // What changes nothing is no news.
      await world.make(owner, `${collection}.update`, {
        uid: made["uid"],
        body: { [field]: changed[field] },
      });
      expect(await taken()).toEqual([]);
    }
    await world.make(owner, `${collection}.delete`, { uid: made["uid"] });
    await expectOne("deleted", made, { uid: made["uid"] });
  });

  test("what is refused is told to nobody", async () => {
    const made = await make(sample().made);
    const parent = parentOf(made["uid"]) || organization;
    await taken();
    for (const [id, input] of [
      [`${collection}.create`, { parent, body: {} }],
      [`${collection}.create`, { parent: `${parent}/${"0".repeat(16)}`, body: sample().made }],
      [`${collection}.delete`, { uid: `${made["uid"]}/${"0".repeat(16)}` }],
    ] as const)
      expect([id, (await world.send(owner.token, id, input)).status]).not.toEqual([id, 200]);
    // All is written before this is found: the field is there twice.
    const [field = ""] = Object.keys(sample().made).filter((name) => /[A-Z]/.test(name));
    if (field !== "") {
      const twice = { ...sample().other, [field.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)]: "x" };
      const { status } = await world.send(owner.token, `${collection}.create`, { parent, body: twice });
      expect(status).toBe(400);
    }
    expect(await taken()).toEqual([]);
    await world.make(owner, `${collection}.delete`, { uid: made["uid"] });
  });
});

test("a transaction that ends in an error stores nothing, whatever it has written", async () => {
  const { database } = world.service;
  const write = (fails: boolean) =>
    database.transaction(async (queries) => {
      await queries.query("update groups set updated_at = updated_at + interval '1 second' where uid = $1", [
        folder,
      ]);
      if (fails) throw new Error("half-way");
    });
  await expect(write(true)).rejects.toThrow("half-way");
  expect(await taken()).toEqual([]);
  await write(false);
  expect(await told()).toEqual([`iam.group.updated ${folder}`]);
});

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
  expect(stored.map(({ to }) => to).toSorted()).toEqual([everywhere, below].toSorted());
  expect(stored[0]?.event).toMatchObject({
    type: "dev.chainguard.api.iam.rolebindings.created.batch.v1",
    source: `${world.service.url}/iam/v2/roleBindings:batchCreate`,
    subject: folder,
    group: folder,
    data: { body: answer },
  });
  expect((stored[0]?.event["data"] as Wire)["body"]["roleBindings"]).toHaveLength(2);
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
  const events = (await taken()).filter(({ to }) => to === below).map(({ event }) => event);
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
  const given = (await taken()).filter(({ to }) => to === everywhere).map(({ event }) => event);
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
