import { describe, expect, it } from "vitest";

import { snapshotBytes } from "./file";
import { readSnapshot, SnapshotProblem, type Snapshot } from "./format";

const ROOT = "a".repeat(40);
const NEVER = new AbortController().signal;
const snapshot: Snapshot = {
  scope: { uid: ROOT, name: "acme" },
  time: "2026-11-23T04:00:00.000Z",
  service: "https://api.example",
  records: {
    groups: [
      { uid: `${ROOT}/${"b".repeat(16)}`, name: "beta", unknownToday: { z: 1, a: [2, 1] } },
      { uid: ROOT, name: "acme" },
    ],
    roles: [],
    roleBindings: [],
    identities: [],
    repos: [{ name: "nginx", uid: `${ROOT}/${"c".repeat(16)}` }],
  },
  missing: { roles: "You need permission to list roles" },
};

const text = async (given: Snapshot): Promise<string> => (await snapshotBytes(given, NEVER)).file.text();
const parsed = async () => JSON.parse(await text(snapshot)) as Record<string, unknown>;

it("an older file is read without the sign-ins that it has", async () => {
  const identity = { uid: ROOT, name: "ada", lastSeenTime: "2026-11-22T04:00:00Z" };
  const old = JSON.stringify({ ...(await parsed()), version: 1, identities: [identity] });
  expect(readSnapshot(old).records.identities).toEqual([{ uid: ROOT, name: "ada" }]);
});

describe("a file that somebody else made", () => {
  const changed = async (change: object) => JSON.stringify({ ...(await parsed()), ...change });
  it.each([
    ["nothing", "", "This file isn't valid JSON"],
    [
      "half a file",
      '{"format": "platform-console-snapshot", "version": 1, "gro',
      "This file isn't valid JSON",
    ],
    ["a list", "[]", "This file isn't a snapshot"],
    ["null", "null", "This file isn't a snapshot"],
    ["another format", '{"format":"sbom","version":1}', "This file isn't a snapshot"],
    ["a later version", '{"format":"platform-console-snapshot","version":2}', "has version 2"],
  ])("that is %s is refused in words", (_what, given, words) => {
    expect(() => readSnapshot(given)).toThrow(SnapshotProblem);
    expect(() => readSnapshot(given)).toThrow(words);
  });

  it.each([
    ["no records", { groups: undefined }, "at groups"],
    ["records that are none", { repos: ["nginx"] }, "at repos.0"],
    ["a uid that is none", { repos: [{ uid: "javascript:alert(1)" }] }, "at repos.0.uid"],
    ["a scope that is none", { scope: { uid: "../..", name: "x" } }, "at scope"],
    ["no time", { time: "yesterday" }, "at time"],
    ["a record twice", { repos: [{ uid: ROOT }, { uid: ROOT }] }, "it contains a record twice"],
  ])("with %s is refused, and says where", async (_what, change, words) => {
    const given = await changed(change);
    expect(() => readSnapshot(given)).toThrow(words);
    expect(() => readSnapshot(given)).toThrow(/This snapshot is damaged/);
  });
});
