import { describe, expect, it } from "vitest";

import { readSnapshot, snapshotFile, SnapshotProblem, type Snapshot } from "./format";

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

const text = async (given: Snapshot): Promise<string> => (await snapshotFile(given, NEVER)).text();
const parsed = async () => JSON.parse(await text(snapshot)) as Record<string, unknown>;

describe("a snapshot file", () => {
  it("is read as it was written", async () => {
    const read = readSnapshot(await text(snapshot));
    expect(read.scope).toEqual(snapshot.scope);
    expect(read.missing).toEqual(snapshot.missing);
    expect(read.records.groups).toEqual([snapshot.records.groups[1], snapshot.records.groups[0]]);
    expect(read.records.repos).toEqual(snapshot.records.repos);
  });

  it("says what it holds and whether that is everything", async () => {
    expect(await parsed()).toMatchObject({
      format: "platform-console-snapshot",
      version: 1,
      complete: false,
      missing: [{ kind: "roles", why: "You need permission to list roles" }],
      counts: { groups: 2, roles: 0, roleBindings: 0, identities: 0, repos: 1 },
    });
    expect(JSON.parse(await text({ ...snapshot, missing: {} }))).toMatchObject({
      complete: true,
      missing: [],
    });
  });

  it("is the same text whatever order the service answered in", async () => {
    const { groups, repos } = snapshot.records;
    const [beta = { uid: "" }, acme = { uid: "" }] = groups;
    const turned = {
      ...snapshot,
      records: {
        ...snapshot.records,
        groups: [acme, { unknownToday: { a: [2, 1], z: 1 }, name: "beta", uid: beta.uid }],
        repos: repos.map(({ uid, name }) => ({ uid, name })),
      },
    };
    expect(await text(turned)).toBe(await text(snapshot));
  });

  it("has a line for each record", async () => {
    const lines = (await text(snapshot)).split("\n");
    expect(lines.filter((line) => line.startsWith("    {"))).toHaveLength(3);
  });

  it("with ten thousand records stops when it is told to", async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({
      uid: `${ROOT}/${index.toString(16).padStart(16, "0")}`,
    }));
    const stopped = new AbortController();
    const writing = snapshotFile(
      { ...snapshot, records: { ...snapshot.records, identities: many } },
      stopped.signal,
    );
    stopped.abort(new Error("left"));
    await expect(writing).rejects.toThrow("left");
  });
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
