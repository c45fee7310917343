import { expect, it } from "vitest";

import { countedWords, refusedBy, refusedWords, totalOf, uncountedOf, usesOf } from "./facts";

const ORG = "a".repeat(40);
const TEAM = `${ORG}/${"b".repeat(16)}`;
const use = (capability: string, callCount: string, lastTime: string, group = TEAM, identity = "one") => ({
  identity,
  capability,
  group,
  callCount,
  lastTime,
});
const rows = [
  use("CAP_REPO_LIST", "1211", "2026-11-02T10:00:00.000Z"),
  use("CAP_REPO_CREATE", "3", "2026-05-03T23:30:00.000Z"),
  use("CAP_REPO_CREATE", "5", "2026-11-01T00:00:00.000Z", ORG),
  use("CAP_REPO_CREATE", "7", "2026-11-01T00:00:00.000Z", TEAM, "other"),
  use("CAP_TAG_LIST", "9", "2026-11-03T00:00:00.000Z"),
];
const held = new Set(["CAP_REPO_LIST", "CAP_REPO_CREATE"]);

it("counts what an identity used of a role, where the role counts", () => {
  const used = usesOf({ rows }, { identity: "one", group: TEAM, capabilities: held });
  expect(totalOf(used)).toEqual({ count: 1214, last: "2026-11-02T10:00:00.000Z" });
  expect(totalOf([])).toEqual({ count: 0, last: undefined });
});

it("says what a smaller role would have refused, and when last", () => {
  const used = usesOf({ rows }, { identity: "one", group: TEAM, capabilities: held });
  expect(refusedWords(refusedBy(used, ["CAP_REPO_LIST"]))).toBe(
    "Would have refused 3 of 1,214 uses, last on May 3, 2026",
  );
  expect(refusedWords(refusedBy(used, [...held]))).toBe("Would have refused none of 1,214 uses");
  expect(refusedWords(refusedBy([], []))).toBe("Nothing was used");
});

it("knows when a list is counted in some groups only", () => {
  const teams = Array.from({ length: 83 }, (_, n) => `${ORG}/${String(n).padStart(16, "0")}`);
  expect(uncountedOf(teams.slice(0, 50))).toBeUndefined();
  expect(countedWords(uncountedOf(teams) ?? 0)).toBe("counted in 50 of 83 groups");
  // A role above them is one place.
  expect(uncountedOf([ORG, ...teams])).toBeUndefined();
  expect(uncountedOf([...teams, ...teams, `${teams[0]}/${"a".repeat(16)}`])).toBe(83);
});
