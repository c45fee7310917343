import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";

import { Ground } from "../../conformance/ground";
import type { Person, Wire } from "../../conformance/world";
import { sweep } from "../../platform/store/maintenance";
import { builtInRoleUid } from "./roles.table";

let ground: Ground;
beforeAll(async () => {
  ground = await Ground.open();
});
afterAll(() => ground.world.service.stop());
afterEach(() => {
  vi.useRealTimers();
});

const viewer = builtInRoleUid("viewer");
const inMs = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

const grant = (to: Person, expirationTime?: string): Promise<Wire> =>
  ground.world.make(ground.owner, "roleBindings.create", {
    parent: ground.organization,
    body: { identityUid: to.uid, roleUid: viewer, ...(expirationTime && { expirationTime }) },
  });
const status = async (by: Person): Promise<number> =>
  (await ground.world.send(by.token, "groups.get", { uid: ground.organization })).status;
const waitUntil = (time: string) => vi.useFakeTimers({ now: new Date(time), toFake: ["Date"] });

test("a role counts until its end and not a moment longer, whether or not it was swept", async () => {
  const { world, owner } = ground;
  const guest = await world.person("guest");
  const end = inMs(60_000);
  const made = await grant(guest, end);
  expect(made["expirationTime"]).toBe(end);
  expect(await status(guest)).toBe(200);
  waitUntil(end);
  expect(await status(guest)).toBe(403);
  expect((await world.send(owner.token, "roleBindings.get", { uid: made["uid"] })).status).toBe(200);

  // The same role again: the ended one does not stand in the way.
  const again = await grant(guest, inMs(60_000));
  expect(again["uid"]).not.toBe(made["uid"]);
  expect(await status(guest)).toBe(200);
});

test("an ended role is removed, with an entry of the service's own", async () => {
  const { world, owner, organization } = ground;
  const guest = await world.person("swept");
  const end = inMs(60_000);
  const { uid } = await grant(guest, end);
  waitUntil(end);
  await sweep(world.service.database);
  expect((await world.send(owner.token, "roleBindings.get", { uid })).status).toBe(404);
  const { auditEntries } = await world.make(owner, "auditEntries.list", {
    query: { record: uid, "uidp.descendants_of": organization },
  });
  expect(auditEntries).toMatchObject([
    {
      action: "service.deleted",
      change: "deleted",
      record: { identityUid: guest.uid },
      changes: expect.arrayContaining([{ field: "expirationTime", before: JSON.stringify(end) }]) as unknown,
    },
    { action: "roleBindings.create" },
  ]);
  // Who had access: until its end, not until it was removed.
  const held = async (time: string) =>
    (await world.make(owner, "auditAccess.get", { query: { identity: guest.uid, time } }))["held"];
  expect(await held(new Date(Date.parse(end) - 1).toISOString())).toMatchObject([{ roleBinding: uid }]);
  expect(await held(end)).toEqual([]);
});

test("an end is in the future, can be moved and cleared, and only by those who hold the role", async () => {
  const { world, owner, organization } = ground;
  const guest = await world.person("moved");
  const past = await world.send(owner.token, "roleBindings.create", {
    parent: organization,
    body: { identityUid: guest.uid, roleUid: viewer, expirationTime: "2020-01-01T00:00:00Z" },
  });
  expect([past.status, JSON.stringify(past.json)]).toEqual([400, expect.stringContaining("in the future")]);
  const { uid } = await grant(guest, inMs(60_000));
  const later = inMs(120_000);
  const update = (by: Person, expirationTime: string | undefined) =>
    world.send(by.token, "roleBindings.update", {
      uid,
      query: { update_mask: "expirationTime" },
      body: expirationTime ? { expirationTime } : {},
    });
  expect((await update(owner, later)).json).toMatchObject({ expirationTime: later });
  // May change role bindings, but lacks what the role can do.
  const clerk = await world.person("clerk");
  const role = await world.create(owner, "roles", organization, {
    name: "clerk",
    capabilities: ["CAP_IAM_ROLE_BINDINGS_UPDATE", "CAP_IAM_ROLE_BINDINGS_LIST"],
  });
  await world.create(owner, "roleBindings", organization, { identityUid: clerk.uid, roleUid: role });
  expect((await update(clerk, inMs(600_000))).status).toBe(403);
  expect((await update(clerk, undefined)).status).toBe(403);
  expect((await update(clerk, inMs(30_000))).status).toBe(200);
  expect((await update(owner, undefined)).json).not.toHaveProperty("expirationTime");
});
