import { expect, test } from "vitest";

import { endpoints } from "platform-contract";

import { authorize, holds, visibleGroups, type Caller } from "./caller";

const [root, other] = ["a".repeat(40), "b".repeat(40)];
const low = `${root}/${"1".repeat(16)}`;
const leaf = `${low}/${"2".repeat(16)}`;
const caller = (...grants: readonly (readonly [group: string, ...capabilities: string[]])[]): Caller => ({
  issuer: "https://issuer.example",
  subject: "s",
  key: "k",
  identities: [leaf],
  grants: grants.map(([group, ...capabilities]) => ({
    group,
    role: "",
    capabilities: new Set(capabilities),
  })),
});

test("a capability holds at its group and below, nowhere else", () => {
  const reader = caller([low, "CAP_IAM_GROUPS_LIST"], [other, "CAP_REPO_LIST"]);
  const where = (uid: string) => holds(reader, "CAP_IAM_GROUPS_LIST", uid);
  expect([low, leaf, `${leaf}/${"3".repeat(16)}`].map(where)).toEqual([true, true, true]);
  expect([root, other, `${low}0`, "", `${root}/${"3".repeat(16)}`].map(where)).toEqual(Array(5).fill(false));
});

test("of visible groups only the topmost are named", () => {
  const reader = caller([leaf, "X"], [low, "X", "Y"], [other, "X"], [low, "X"], [root, "Y"]);
  expect(visibleGroups(reader, "X")).toEqual([low, other]);
  expect(visibleGroups(reader, "Y")).toEqual([root]);
  expect(visibleGroups(reader, "Z")).toEqual([]);
});

test("whoever holds nothing is refused by every operation whose path decides, in words that tell nothing", () => {
  const nobody = caller();
  for (const endpoint of endpoints) {
    const attempt = () => authorize(endpoint, { uid: low, parent: low }, nobody);
    const { at, needs } = endpoint.access;
    // Its handler checks whose binding it is.
    if ((at === "uid" || at === "parent") && endpoint.id !== "roleBindings.delete")
      expect(attempt).toThrow(`Permission denied: requires ${needs.join(" and ")} at ${low}`);
    else expect(attempt).not.toThrow();
  }
});

test("everybody may read their own identity, and it takes the capability to read another's", () => {
  const get = endpoints.find(({ id }) => id === "identities.get")!;
  expect(() => authorize(get, { uid: leaf }, caller())).not.toThrow();
  expect(() => authorize(get, { uid: low }, caller())).toThrow("CAP_IAM_IDENTITY_LIST");
  const remove = endpoints.find(({ id }) => id === "identities.delete")!;
  for (const uid of [leaf, root])
    expect(() => authorize(remove, { uid }, caller([other, "CAP_IAM_IDENTITY_DELETE"]))).toThrow(
      "requires CAP_IAM_IDENTITY_DELETE",
    );
});
