import { describe, expect, it } from "vitest";

import type { Identity } from "~/contract/iam/identities";

import { matcherOf } from "./scan";
import type { IdentityListSearch } from "./search";

const ROOT = "a".repeat(40);
const now = Date.parse("2026-06-01T00:00:00Z");
const daysAgo = (days: number) => new Date(now - days * 24 * 60 * 60 * 1000).toISOString();
const machine = (rest: Partial<Identity>): Identity => ({
  uid: `${ROOT}/${"b".repeat(16)}`,
  name: "ci",
  ...rest,
});
const fits = (search: IdentityListSearch, identity: Identity) => matcherOf(search, now)(identity);

describe("a part of a text", () => {
  it.each([
    ["in the name", { contains: "CI-Rel" }, machine({ name: "ci-release" }), true],
    ["in the description", { contains: "ada" }, machine({ description: "On call: Ada" }), true],
    ["in neither", { contains: "ada" }, machine({ email: "ada@example.com" }), false],
    ["in a person's email", { tab: "people", contains: "ADA" }, machine({ email: "ada@example.com" }), true],
    ["not in a person's description", { tab: "people", contains: "x" }, machine({ description: "x" }), false],
  ] as const)("%s", (_where, search, identity, expected) => expect(fits(search, identity)).toBe(expected));
});

describe("use", () => {
  const made = { createTime: daysAgo(100) };
  it.each([
    ["never seen", "never", machine(made), true],
    ["seen only when it was made", "never", machine({ ...made, lastSeenTime: daysAgo(100) }), true],
    ["seen later", "never", machine({ ...made, lastSeenTime: daysAgo(99) }), false],
    [
      "a person seen at sign-up",
      "never",
      { uid: ROOT, name: "ada", ...made, lastSeenTime: daysAgo(100) },
      false,
    ],
    ["last seen 91 days ago", "90", machine({ ...made, lastSeenTime: daysAgo(91) }), true],
    ["last seen 89 days ago", "90", machine({ ...made, lastSeenTime: daysAgo(89) }), false],
    ["last seen 89 days ago, of 30", "30", machine({ ...made, lastSeenTime: daysAgo(89) }), true],
    ["never seen, made long ago", "90", machine(made), true],
    ["never seen, made yesterday", "30", machine({ createTime: daysAgo(1) }), false],
    ["without any time", "30", machine({}), true],
  ] as const)("%s: not for %s", (_what, seen, identity, expected) =>
    expect(fits({ seen }, identity)).toBe(expected),
  );

  it("and a part of a text count together", () => {
    expect(fits({ seen: "never", contains: "ci" }, machine(made))).toBe(true);
    expect(fits({ seen: "never", contains: "other" }, machine(made))).toBe(false);
  });
});
