import { expect, it } from "vitest";

import type { Identity } from "platform-contract/iam/identities";
import type { RoleBinding } from "platform-contract/iam/role-bindings";

import { suggestedFor } from "./suggested";

const root = "a".repeat(40);
const team = `${root}/${"1".repeat(16)}`;
const [ada, bot, runner] = ["b".repeat(40), `${root}/${"2".repeat(16)}`, `${team}/${"3".repeat(16)}`];
const binding = (group: string, identity: string, name: string, n: string): RoleBinding => ({
  uid: `${group}/${n.repeat(16)}`,
  identityUid: identity,
  identity: { uid: identity, name },
  role: { uid: "c".repeat(40), name: "viewer" },
  group: { uid: group, name: group === root ? "acme" : "team" },
});

it("suggests machines with a role there or above first, then machines of the folder, then people", () => {
  const bindings = [
    binding(team, ada, "ada", "4"),
    binding(team, bot, "bot", "5"),
    binding(root, bot, "bot", "6"),
  ];
  const machines: Identity[] = [
    { uid: runner, name: "runner" },
    { uid: bot, name: "bot" },
  ];
  expect(suggestedFor(bindings, machines).map(({ name, note }) => [name, note])).toEqual([
    ["bot", "machine, viewer in team"],
    ["runner", "machine"],
    ["ada", "person, viewer in team"],
  ]);
  const many = Array.from({ length: 20 }, (_, n) => ({
    uid: `${team}/${String(n).padStart(16, "0")}`,
    name: "x",
  }));
  expect(suggestedFor(bindings, many)).toHaveLength(8);
});
