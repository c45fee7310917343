import { expect, it } from "vitest";

import { groupsNamed } from "./group-names";

const ROOT = "a".repeat(40);
const child = (parent: string, index: number) => `${parent}/${index.toString(16).padStart(16, "0")}`;
const PLATFORM = child(ROOT, 1);

const read = [
  { uid: ROOT, name: "Acme" },
  { uid: PLATFORM, name: "platform" },
  { uid: child(PLATFORM, 2), name: "data-platform" },
  { uid: child(PLATFORM, 3), name: "Platforms" },
  { uid: child(ROOT, 4), name: "teams" },
];

it("finds part of a name, whatever the case: whole names, then beginnings, then the rest", () => {
  const { shown, count } = groupsNamed(" PLATFORM ", read, 10);
  expect(shown.map(({ name }) => name)).toEqual(["platform", "Platforms", "data-platform"]);
  expect(count).toBe(3);
  expect(groupsNamed("zz", read, 10)).toEqual({ shown: [], count: 0 });
});

it("says where each one is, from the first group that is readable", () => {
  expect(groupsNamed("data", read, 10).shown[0]?.place).toBe("Acme / platform");
  expect(groupsNamed("data", read.slice(1), 10).shown[0]?.place).toBe("platform");
  expect(groupsNamed("acme", read, 10).shown[0]?.place).toBe("");
});

it("lists the first few, and counts all", () => {
  const { shown, count } = groupsNamed("a", read, 2);
  expect(shown).toHaveLength(2);
  expect(count).toBe(5);
});

it("survives a server that omits names", () => {
  expect(groupsNamed("a", [{ uid: ROOT } as never], 10).count).toBe(0);
});
