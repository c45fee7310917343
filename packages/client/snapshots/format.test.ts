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
    tags: [{ name: "1.27", uid: `${ROOT}/${"c".repeat(16)}/${"e".repeat(16)}`, digest: "sha256:1" }],
  },
  missing: { roles: "You need permission to list roles" },
};

const text = async (given: Snapshot): Promise<string> => (await snapshotBytes(given, NEVER)).file.text();
const parsed = async () => JSON.parse(await text(snapshot)) as Record<string, unknown>;

it("an older file is read without its sign-ins, and its tags are unknown", async () => {
  const identity = { uid: ROOT, name: "ada", lastSeenTime: "2026-11-22T04:00:00Z" };
  const { tags: _, ...whole } = await parsed();
  const counts = { groups: 2, roles: 0, roleBindings: 0, identities: 1, repos: 1 };
  const read = readSnapshot(JSON.stringify({ ...whole, version: 1, counts, identities: [identity] }));
  expect(read.records.identities).toEqual([{ uid: ROOT, name: "ada" }]);
  expect([read.records.tags, read.unknown]).toEqual([[], ["tags"]]);
  expect(readSnapshot(await text(snapshot)).unknown).toEqual([]);
});

describe("a file that somebody else made", () => {
  it.each([
    ["nothing", " ", "This file is empty."],
    ["no JSON", "a,b", "This file isn't valid JSON, so it isn't a snapshot."],
    ["a list", "[]", "This file isn't a snapshot."],
    ["null", "null", "This file isn't a snapshot."],
    ["another format", '{"format":"sbom","version":1}', "This file isn't a snapshot."],
    [
      "a later version",
      '{"format":"platform-console-snapshot","version":3}',
      "This snapshot has version 3, and this program reads versions up to 2. Open it in a newer one.",
    ],
    ["no version that exists", '{"format":"platform-console-snapshot","version":0}', "which doesn't exist"],
  ])("that is %s is refused in words", (_what, given, words) => {
    expect(() => readSnapshot(given)).toThrow(SnapshotProblem);
    expect(() => readSnapshot(given)).toThrow(words);
  });

  it.each([0.2, 0.5, 0.99])("that is cut off at %d of its length is refused as damaged", async (share) => {
    const whole = await text(snapshot);
    const cut = whole.slice(0, Math.floor(whole.length * share));
    expect(() => readSnapshot(cut)).toThrow(
      "This snapshot is damaged: its end is missing, or it was edited.",
    );
  });

  it.each([
    ["no records", { groups: undefined }, "at groups"],
    ["no tags", { tags: undefined }, "at tags"],
    ["records that are none", { repos: ["nginx"] }, "at repos.0"],
    ["a uid that is none", { repos: [{ uid: "javascript:alert(1)" }] }, "at repos.0.uid"],
    ["a scope that is none", { scope: { uid: "../..", name: "x" } }, "at scope"],
    ["no time", { time: "yesterday" }, "at time"],
    ["a kind that is none", { missing: [{ kind: "__proto__", why: "x" }] }, "at missing.0.kind"],
    ["a record twice", { repos: [{ uid: ROOT }, { uid: ROOT }] }, "it contains a record twice"],
    ["records left out", { groups: [{ uid: ROOT }] }, "at groups: it says 2 records and has 1."],
    ["counts that are none", { counts: { groups: "2" } }, "at counts.groups"],
  ])("with %s is refused, and says where", async (_what, change, words) => {
    const given = JSON.stringify({ ...(await parsed()), ...change });
    expect(() => readSnapshot(given)).toThrow(words);
    expect(() => readSnapshot(given)).toThrow(/This snapshot is damaged/);
  });
});
