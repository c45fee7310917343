import { expect, it } from "vitest";

import { gainOf } from "./gain";

const root = "a".repeat(40);
const team = `${root}/${"b".repeat(16)}`;
const other = `${root}/${"c".repeat(16)}`;
const person = "9".repeat(40);
const reader = { uid: "1".repeat(40), name: "reader", capabilities: ["CAP_A"] };
const writer = { uid: "2".repeat(40), name: "writer", capabilities: ["CAP_A", "CAP_B"] };
const roles = [reader, writer];

const bound = (group: string, roleUid: string, serial = 1) => ({
  uid: `${group}/${serial.toString(16).padStart(16, "0")}`,
  roleUid,
});

it("gains what no role there or above includes yet", () => {
  const asked = { identity: person, role: writer, group: team };
  expect(gainOf(asked, [], roles)).toMatchObject({ same: undefined, gained: ["CAP_A", "CAP_B"] });
  expect(gainOf(asked, [bound(root, reader.uid)], roles).gained).toEqual(["CAP_B"]);
  expect(gainOf(asked, [bound(other, writer.uid)], roles).gained).toEqual(["CAP_A", "CAP_B"]);
  expect(gainOf(asked, [bound(root, "3".repeat(40))], roles)).toMatchObject({ unsure: true });
});

it("names the nearest binding that gives the same role", () => {
  const above = bound(root, reader.uid);
  const here = bound(team, reader.uid);
  const asked = { identity: person, role: reader, group: team };
  expect(gainOf(asked, [above], roles)).toMatchObject({ same: above, gained: [] });
  expect(gainOf(asked, [above, here], roles).same).toEqual(here);
});

it("says that an identity of a folder has nothing outside of it", () => {
  const machine = `${team}/${"d".repeat(16)}`;
  const asked = { identity: machine, role: reader, group: other };
  expect(gainOf(asked, [bound(root, reader.uid)], roles)).toMatchObject({
    unreachable: true,
    gained: ["CAP_A"],
  });
  expect(gainOf({ ...asked, group: team }, [], roles).unreachable).toBe(false);
});
