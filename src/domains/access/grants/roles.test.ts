import { expect, it } from "vitest";

import type { CurrentUser } from "~/frame/permissions/current-user";

import { heldAt, holdersOf, lacking } from "./roles";

const root = "a".repeat(40);
const team = `${root}/${"b".repeat(16)}`;
const machine = `${team}/${"d".repeat(16)}`;
const reader = { uid: "1".repeat(40), name: "reader", capabilities: ["CAP_A"] };
const writer = { uid: "2".repeat(40), name: "writer", capabilities: ["CAP_A", "CAP_B"] };

const bound = (group: string, roleUid: string, identityUid = "9".repeat(40)) => ({
  uid: `${group}/${"0".repeat(16)}`,
  roleUid,
  identityUid,
});
const who = (facts: Partial<CurrentUser>): CurrentUser =>
  ({ state: "known", bindings: [], roles: [reader, writer], ...facts }) as CurrentUser;

it("has what the roles there and above include; unknown if any of them is unknown", () => {
  const bindings = [bound(root, reader.uid)];
  expect(heldAt(who({ bindings }), team)).toEqual(new Set(["CAP_A"]));
  expect(heldAt(who({ bindings, state: "unknown" }), team)).toBeUndefined();
  expect(heldAt(who({ bindings, roles: [] }), team)).toBeUndefined();
  expect(heldAt(who({ bindings: [bound(team, reader.uid)] }), root)).toBeUndefined();
  expect(lacking(writer, new Set(["CAP_A"]))).toEqual(["CAP_B"]);
  expect(lacking(writer, undefined)).toEqual([]);
});

it("finds who holds a capability by a role that takes effect", () => {
  const [can, cannot] = [bound(team, writer.uid), bound(team, reader.uid)];
  const lost = bound(root, writer.uid, machine);
  expect(holdersOf([can, cannot, lost], [reader, writer], ["CAP_B"])).toEqual({
    shown: [can],
    unknown: false,
  });
  expect(holdersOf([can, cannot], [reader, writer], ["CAP_C", "CAP_A"]).shown).toEqual([can, cannot]);
  expect(holdersOf([can], [reader, writer], ["CAP_C"])).toEqual({ shown: [], unknown: false });
  expect(holdersOf([can], [reader], ["CAP_B"])).toEqual({ shown: [], unknown: true });
  expect(holdersOf([can, cannot, lost], [], undefined).shown).toHaveLength(3);
});
