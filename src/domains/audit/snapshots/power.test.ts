import { describe, expect, it } from "vitest";

import { compare } from "./compare";
import { perKind, type Contents, type SnapshotRow } from "platform-client/snapshots/format";
import { powersIn, type Power } from "./power";

const ROOT = "a".repeat(40);
const BUILT_IN = "f".repeat(40);
const at = (digit: string): string => `${ROOT}/${digit.repeat(16)}`;
const contents = (records: Partial<Contents["records"]>): Contents => ({
  records: { ...perKind(() => []), ...records },
  missing: {},
});
const role = (digit: string, name: string, ...capabilities: string[]): SnapshotRow => ({
  uid: at(digit),
  name,
  capabilities,
});
const roles = [
  role("1", "granter", "CAP_IAM_ROLE_BINDINGS_CREATE"),
  role("2", "pusher", "CAP_TAG_CREATE"),
  role("3", "reader", "CAP_TAG_LIST"),
  // A name says nothing of a custom role.
  role("4", "owner", "CAP_TAG_LIST"),
];

describe("how much the role of a grant can do", () => {
  it.each<[Power, string, string]>([
    ["owner", BUILT_IN, "owner"],
    ["manages", BUILT_IN, "registry.pull_token_creator"],
    ["manages", at("1"), "granter"],
    ["unknown", BUILT_IN, "role of tomorrow"],
    ["unknown", BUILT_IN, "constructor"],
    ["unknown", at("9"), "owner"],
    ["changes", BUILT_IN, "editor"],
    ["changes", at("2"), "pusher"],
    ["reads", BUILT_IN, "viewer"],
    ["reads", BUILT_IN, "registry.pull"],
    ["reads", at("4"), "owner"],
  ])("is %s for %s %s", (power, uid, name) => {
    const binding = { uid: at("8"), role: { uid, name } };
    expect(powersIn(contents({ roles }))("roleBindings", binding)).toEqual([power]);
  });

  it("is nothing for other kinds", () => {
    expect(powersIn(contents({}))("repos", { uid: at("1"), name: "owner" })).toEqual([]);
  });
});

describe("the order of changes", () => {
  const bound = (digit: string, who: string, uid: string, name: string): SnapshotRow => ({
    uid: at(digit),
    identity: { name: who },
    role: { uid, name },
  });

  it("begins with grants of owner, whether given, taken or changed, then by what the role can do", () => {
    const before = contents({
      roles,
      roleBindings: [bound("1", "gone", BUILT_IN, "owner"), bound("2", "lowered", BUILT_IN, "owner")],
    });
    const after = contents({
      roles: [...roles.slice(0, 2), role("3", "reader", "CAP_TAG_LIST", "CAP_TAG_DELETE"), ...roles.slice(3)],
      groups: [{ uid: ROOT, name: "acme" }],
      repos: [{ uid: at("5"), name: "a repo" }],
      roleBindings: [
        bound("2", "lowered", "e".repeat(40), "viewer"),
        bound("3", "a reader", at("4"), "owner"),
        bound("4", "a stranger", at("9"), "x"),
        bound("5", "granter", at("1"), "granter"),
        bound("6", "new", BUILT_IN, "owner"),
        bound("7", "pusher", at("2"), "pusher"),
      ],
    });
    const { changes } = compare(before, after, { before: "The file", after: "The other" });
    expect(changes.map(({ power, how, name }) => [power, how, name])).toEqual([
      ["owner", "added", "new, owner"],
      ["owner", "removed", "gone, owner"],
      ["owner", "changed", "lowered, viewer"],
      ["manages", "added", "granter, granter"],
      ["unknown", "added", "a stranger, x"],
      ["changes", "added", "pusher, pusher"],
      ["changes", "changed", "reader"],
      ["reads", "added", "a reader, owner"],
      [undefined, "added", "acme"],
      [undefined, "added", "a repo"],
    ]);
  });
});
