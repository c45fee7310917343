import { describe, expect, it } from "vitest";

import { comparedPart, snapshotBytes } from "./file";
import { readSnapshot, recordOf, type Snapshot } from "./format";

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
      version: 2,
      complete: false,
      missing: [{ kind: "roles", why: "You need permission to list roles" }],
      counts: { groups: 2, roles: 0, roleBindings: 0, identities: 0, repos: 1, tags: 1 },
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
    expect(lines.filter((line) => line.startsWith("    {"))).toHaveLength(4);
  });

  it("with ten thousand records stops when it is told to", async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({
      uid: `${ROOT}/${index.toString(16).padStart(16, "0")}`,
    }));
    const stopped = new AbortController();
    const writing = snapshotBytes(
      { ...snapshot, records: { ...snapshot.records, identities: many } },
      stopped.signal,
    );
    stopped.abort(new Error("left"));
    await expect(writing).rejects.toThrow("left");
  });

  it("differs in the line with the time alone, if all that happened is a sign-in", async () => {
    const seen = (lastSeenTime: string) => {
      const identities = [recordOf("identities", { uid: `${ROOT}/${"d".repeat(16)}`, lastSeenTime })];
      return { ...snapshot, time: lastSeenTime, records: { ...snapshot.records, identities } };
    };
    const first = await snapshotBytes(seen("2026-11-23T04:00:00Z"), NEVER);
    const second = await snapshotBytes(seen("2026-11-24T05:00:00Z"), NEVER);
    expect(await second.compared.text()).toBe(await first.compared.text());
    const [one, other] = [await first.file.text(), await second.file.text()].map((each) => each.split("\n"));
    const differing = one?.flatMap((line, index) => (line === other?.[index] ? [] : [line])) ?? [];
    expect(differing).toEqual([`  "time": "2026-11-23T04:00:00Z",`]);
  });

  it("has its compared part from the third line on, whether written or opened", async () => {
    const { file, compared } = await snapshotBytes(snapshot, NEVER);
    const whole = await file.text();
    expect(await compared.text()).toBe(whole.split("\n").slice(2).join("\n"));
    expect(await (await comparedPart(file))?.text()).toBe(await compared.text());
    expect(await comparedPart(new Blob([JSON.stringify(JSON.parse(whole))]))).toBeUndefined();
    expect(await comparedPart(new Blob([whole.replaceAll("\n", "\r\n")]))).toBeUndefined();
  });
});
