import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { parentOf } from "platform-contract/aip";
import { omitPaths } from "platform-contract/behavior";
import { resourceOf, resources } from "platform-contract";

import { answered, changeable } from "../../conformance/ground";
import { collectionAbove, type Wire } from "../../conformance/world";
import { groupOfRecord } from "./noted";
import { openLogged } from "./testing";

let {
  ground,
  world,
  owner,
  organization,
  folder,
  fresh: entries,
} = {} as Awaited<ReturnType<typeof openLogged>>;
beforeAll(async () => {
  ({ ground, world, owner, organization, folder, fresh: entries } = await openLogged());
});
afterAll(() => world.service.stop());

/** A record's fields by dotted path, without those that no response has. */
function flat(fields: Wire, at = ""): [string, unknown][] {
  return Object.entries(fields).flatMap(([key, value]): [string, unknown][] =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? flat(value as Wire, `${at}${key}.`)
      : [[`${at}${key}`, value]],
  );
}

const settable = (collection: string, record: Wire): Map<string, unknown> => {
  const { settable: fields, behavior } = resourceOf(collection)!;
  const shown = omitPaths(record, [...behavior.inputOnly, ...behavior.secret, ...behavior.shownOnce]);
  return new Map(flat(Object.fromEntries(Object.entries(shown).filter(([key]) => key in fields))));
};

const shown = (changes: Wire[] = []): Wire =>
  Object.fromEntries(
    changes
      .filter(({ hidden, field }) => !hidden && field !== "expirationTime")
      .map(({ field, before, after }) => [
        field,
        [before === undefined ? null : JSON.parse(before), after === undefined ? null : JSON.parse(after)],
      ]),
  );

const expected = (before: Map<string, unknown>, after: Map<string, unknown>): Wire =>
  Object.fromEntries(
    [...new Set([...before.keys(), ...after.keys()])]
      .map((field) => [field, [before.get(field) ?? null, after.get(field) ?? null]] as const)
      .filter(([, [old, next]]) => JSON.stringify(old) !== JSON.stringify(next)),
  );

describe.each(resources.filter((one) => "create" in one).map(({ collection }) => [collection]))(
  "%s",
  (collection) => {
    const sample = () => ground.samples.get(collection)!;

    test("each operation leaves one entry, with its actor, record and fields", async () => {
      const place = ground.places[collectionAbove(collection)] ?? folder;
      const parent = await world.room(owner, collection, place);
      await entries();
      const made = await world.make(owner, `${collection}.create`, { parent, body: sample().made });
      const uid: string = made["uid"];
      const read = await world.make(owner, `${collection}.get`, { uid });
      const actor = {
        uid: owner.uid,
        name: "owner",
        issuer: world.service.config.issuer,
        subject: "owner",
        client: "console",
      };
      const entry = (verb: string, change: string) => ({
        outcome: "OUTCOME_DONE",
        action: `${collection}.${verb}`,
        actor,
        record: { kind: collection, uid, group: groupOfRecord(collection, uid) },
        change,
        request: {
          id: expect.stringMatching(/./),
          address: "127.0.0.1",
          transport: world.grpc ? "grpc" : "http",
        },
      });
      const [created, ...none] = await entries();
      expect(none).toEqual([]);
      expect(created).toMatchObject(entry("create", "created"));
      expect(shown(created!["changes"])).toEqual(expected(new Map(), settable(collection, read)));
      expect(await world.make(owner, "auditEntries.get", { uid: created!["uid"] })).toEqual(created);

      let now = read;
      if ("update" in resourceOf(collection)!) {
        const other = Object.entries(changeable(collection, answered(collection, sample())).other);
        for (const [field] of other) {
          const body = { [field]: sample().other[field] };
          const changed = await world.make(owner, `${collection}.update`, { uid, body });
          const [updated, ...more] = await entries();
          expect([field, more]).toEqual([field, []]);
          expect(updated).toMatchObject(entry("update", "updated"));
          expect(shown(updated!["changes"])).toEqual(
            expected(settable(collection, now), settable(collection, changed)),
          );
          now = changed;
          // The same again changes nothing.
          await world.make(owner, `${collection}.update`, { uid, body });
          expect(await entries()).toEqual([]);
        }
      }
      await world.make(owner, `${collection}.delete`, { uid });
      const [deleted, ...rest] = await entries();
      expect(rest).toEqual([]);
      expect(deleted).toMatchObject(entry("delete", "deleted"));
      // A removed role binding also tells since when it counted.
      const since = collection === "roleBindings" ? [["createTime", now["createTime"]] as const] : [];
      const before = new Map([...settable(collection, now), ...since]);
      expect(shown(deleted!["changes"])).toEqual(expected(before, new Map()));
      // Found by the record, although it is gone.
      const { auditEntries } = await world.make(owner, "auditEntries.list", {
        // The uid of an account association is that of its group.
        query: { record: uid, kind: collection },
      });
      expect(auditEntries[0]).toEqual(deleted);
      expect(auditEntries.at(-1)).toEqual(created);
    });
  },
);

test("a transaction that ends in an error leaves no entry, whatever it has written", async () => {
  await entries();
  const write = (fails: boolean) =>
    world.service.database.transaction(async (queries) => {
      await queries.query("update groups set updated_at = updated_at + interval '1 second' where uid = $1", [
        folder,
      ]);
      if (fails) throw new Error("half-way");
    });
  await expect(write(true)).rejects.toThrow("half-way");
  expect(await entries()).toEqual([]);
  await write(false);
  expect(await entries()).toMatchObject([
    { action: "service.updated", record: { kind: "groups", uid: folder }, request: { transport: "service" } },
  ]);
  expect(parentOf(folder)).toBe(organization);
});
