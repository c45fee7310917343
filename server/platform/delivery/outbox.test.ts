import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { parentOf, rootOf } from "platform-contract/aip";
import { EVENT_TYPES, UNTOLD } from "platform-contract/events/event-types";
import { endpoints, resources } from "platform-contract";

import { changeable, Ground } from "../../conformance/ground";
import { collectionAbove, type Person, type Wire, type World } from "../../conformance/world";
import { tableOf } from "../standard/children.table";
import { Listeners } from "./testing";

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

const typeOf = (collection: string, on: string) =>
  EVENT_TYPES.find((type) => type.collection === collection && type.on === on && !type.silent);

test("there are 37 types, and every table that they tell of notes its changes", async () => {
  expect(new Set(EVENT_TYPES.map(({ type }) => type)).size).toBe(37);
  const rows = await world.service.database.query<{ name: string }>(
    "select tgrelid::regclass::text as name from pg_trigger where not tgisinternal and tgfoid = 'note_changes'::regproc",
  );
  const noting = [...new Set(rows.map(({ name }) => name))].toSorted();
  const telling = EVENT_TYPES.filter(({ silent }) => !silent).map(({ collection }) => tableOf(collection));
  // The log alone is about these.
  const logged = ["eligible_grants", "guard_rails", "identity_provider_secrets", "terms"];
  expect(noting).toEqual([...new Set([...telling, ...logged])].toSorted());
  expect(rows).toHaveLength(noting.length * 3);
});

/** Operations that write nothing, or only write another resource. */
const NOTHING_OF_ITS_OWN = [
  "accountAssociations.checkAccountAssociation",
  "groupInvites.register",
  "tokens.exchange",
  "groups.requestGroupAccess",
  "groups.signSnapshot",
  "identityProviders.testSignIn",
  "subscriptions.resend",
  "subscriptions.sendTest",
  "groups.acceptAccess",
  "accessRequests.decline",
  "machineOwners.set",
  // Their role bindings have events.
  "eligibleGrants.activate",
  "eligibleGrants.approve",
  "eligibleGrants.deactivate",
  "eligibleGrants.decline",
  "accessReviewItems.decide",
  "accessReviews.apply",
  "accessReviews.close",
  "accessReviews.create",
  "accessReviews.delete",
  "accessReviews.update",
  "noticeSettings.update",
  "retentionRules.set",
  "retentionRules.delete",
  "retentionRules.confirm",
  "retentionRules.stop",
  "retentionRuns.restore",
];

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

  /** Expects exactly one event, for the right subscribers. */
  async function expectOne(on: string, { uid }: Wire, record: Wire): Promise<void> {
    const stored = await taken();
    const type = typeOf(collection, on);
    if (!type) return expect(stored).toEqual([]);
    const group = { self: uid, parent: parentOf(uid), root: rootOf(uid) }[type.group] as string;
    const subscribers = [
      ...(group === organization || group.startsWith(`${organization}/`) ? [listeners.everywhere] : []),
      ...(group === folder || group.startsWith(`${folder}/`) ? [listeners.below] : []),
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
      // An update without changes produces no event.
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
    for (const [id, input, status] of [
      [`${collection}.create`, { parent, body: {} }, 400],
      [`${collection}.create`, { parent: `${parent}/${"0".repeat(16)}`, body: sample().made }, 404],
      [`${collection}.delete`, { uid: `${made["uid"]}/${"0".repeat(16)}` }, 404],
    ] as const)
      expect([id, (await world.send(owner.token, id, input)).status]).toEqual([id, status]);
    // The duplicate field is only found after everything is written.
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
