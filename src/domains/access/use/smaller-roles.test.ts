import { expect, it } from "vitest";

import { PULL } from "platform-contract/capability";

import { smallerRoles } from "./smaller-roles";

const GROUP = "a".repeat(40);
const role = (name: string, capabilities: string[], parent = "") => ({
  uid: parent === "" ? name : `${parent}/${name}`,
  name,
  capabilities,
});
const roles = [
  role("big", ["A", "B", "C", PULL]),
  role("ab", ["A", "B"]),
  role("pull", ["A", PULL]),
  role("a", ["A"]),
  role("other", ["D"]),
  role("elsewhere", ["B"], "b".repeat(40)),
];
const item = { group: GROUP, identity: "i", role: "big" };
const names = (use?: Parameters<typeof smallerRoles>[2]) =>
  smallerRoles(item, roles, use).map(({ role: { name } }) => name);

it("proposes roles of this place that allow less, those that still pull and change the least first", () => {
  expect(names()).toEqual(["pull", "ab", "a"]);
  expect(smallerRoles({ ...item, role: "unknown" }, roles, undefined)).toEqual([]);
});

it("proposes the smallest that would have refused nothing of what was used", () => {
  const used = (capability: string) => ({ identity: "i", group: GROUP, capability, callCount: "3" });
  expect(names({ rows: [used("A"), used("B")], since: "2026-01-01T00:00:00Z", complete: true })).toEqual([
    "ab",
    "a",
    "pull",
  ]);
});
