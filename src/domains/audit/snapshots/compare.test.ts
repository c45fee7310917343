import { describe, expect, it } from "vitest";

import { compare as compareSides, nameOf } from "./compare";
import { countsOf } from "./parts";
import {
  COLLECTIONS,
  type Collection,
  type Contents,
  type SnapshotRow,
} from "platform-client/snapshots/format";

const ROOT = "a".repeat(40);
const at = (digit: string): string => `${ROOT}/${digit.repeat(16)}`;

const contents = (
  records: Partial<Record<Collection, readonly SnapshotRow[]>>,
  missing: Contents["missing"] = {},
): Contents => ({
  records: Object.fromEntries(
    COLLECTIONS.map((each) => [each, records[each] ?? []]),
  ) as unknown as Contents["records"],
  missing,
});

const compare = (before: Contents, after: Contents) =>
  compareSides(before, after, { before: "The snapshot", after: "What could be read now" });

const group = { uid: ROOT, name: "acme" };

describe("a comparison", () => {
  it("says what was added, removed and changed, by kind and name", () => {
    const { changes, same } = compare(
      contents({
        groups: [group],
        repos: [
          { uid: at("1"), name: "old" },
          { uid: at("2"), name: "kept" },
          { uid: at("3"), name: "moved", description: "before" },
        ],
      }),
      contents({
        groups: [group],
        repos: [
          { uid: at("2"), name: "kept" },
          { uid: at("3"), name: "moved", description: "after" },
          { uid: at("4"), name: "new" },
        ],
      }),
    );
    expect(changes.map(({ how, name, where }) => [how, name, where])).toEqual([
      ["added", "new", "acme"],
      ["removed", "old", "acme"],
      ["changed", "moved", "acme"],
    ]);
    expect(changes[2]?.fields).toEqual([{ path: "description", before: "before", after: "after" }]);
    expect(same).toBe(2);
  });

  it("goes into objects, and takes lists and whole members as they are", () => {
    const before = {
      uid: at("1"),
      name: "ci",
      claimMatch: { issuer: "https://a.example", claims: { ref: "x" } },
    };
    const after = { uid: at("1"), name: "ci", claimMatch: { issuer: "https://b.example" } };
    const { changes } = compare(contents({ identities: [before] }), contents({ identities: [after] }));
    expect(changes[0]?.fields).toEqual([
      { path: "claimMatch.claims", before: { ref: "x" }, after: undefined },
      { path: "claimMatch.issuer", before: "https://a.example", after: "https://b.example" },
    ]);
    const roles = (capabilities: readonly string[]) => contents({ roles: [{ uid: at("1"), capabilities }] });
    expect(compare(roles(["a", "b"]), roles(["b"])).changes[0]?.fields).toEqual([
      { path: "capabilities", before: ["a", "b"], after: ["b"] },
    ]);
  });

  it("leaves out what nobody changed: times, and what a binding repeats of its role and identity", () => {
    const binding = (role: string, updateTime: string) =>
      contents({
        roleBindings: [
          { uid: at("1"), updateTime, identityUid: at("8"), role: { uid: at("9"), name: role } },
        ],
        identities: [{ uid: at("8"), updateTime }],
      });
    const { changes, same } = compare(
      binding("viewer", "2026-01-01T00:00:00Z"),
      binding("reader", "2026-02-01T00:00:00Z"),
    );
    expect(changes).toEqual([]);
    expect(same).toBe(2);
  });

  it("sees another role of a binding, whether its uid stands beside it or not", () => {
    const { changes } = compare(
      contents({ roleBindings: [{ uid: at("1"), role: { uid: at("9"), name: "viewer" } }] }),
      contents({ roleBindings: [{ uid: at("1"), roleUid: at("7"), role: { uid: at("7"), name: "owner" } }] }),
    );
    expect(changes[0]?.fields).toEqual([{ path: "roleUid", before: at("9"), after: at("7") }]);
  });

  it("says nothing of a kind that is not whole on either side", () => {
    const rows = { repos: [{ uid: at("1") }], groups: [group] };
    const stopped = compare(
      contents(rows, { repos: "Stopped before the end." }),
      contents({ groups: [group] }),
    );
    expect(stopped.changes).toEqual([]);
    expect(stopped.left).toEqual([
      { collection: "repos", why: "The snapshot doesn't include all of them: Stopped before the end." },
    ]);
    const refused = compare(contents(rows), contents({ groups: [group] }, { repos: "Hidden by your role" }));
    expect(refused.changes).toEqual([]);
    expect(refused.left).toEqual([
      { collection: "repos", why: "What could be read now doesn't include all of them: Hidden by your role" },
    ]);
  });

  it("says that tags are unknown in an older file, not that they are gone", () => {
    const tag = { uid: `${at("1")}/${"2".repeat(16)}`, name: "latest" };
    const older = { ...contents({ groups: [group] }), unknown: ["tags"] as const };
    const why = "The snapshot was taken before snapshots included tags, so they are unknown in it.";
    const newer = contents({ groups: [group], tags: [tag] });
    expect(compare(older, newer)).toEqual({ changes: [], left: [{ collection: "tags", why }], same: 1 });
    expect(compare(contents({ groups: [group] }), newer).changes.map(({ how }) => how)).toEqual(["added"]);
  });

  it("says of a tag where it is, and that it moved", () => {
    const repo = { uid: at("1"), name: "nginx" };
    const tag = (digest: string) => ({ uid: `${at("1")}/${"2".repeat(16)}`, name: "latest", digest });
    const sides = [tag("sha256:1"), tag("sha256:2")].map((each) => contents({ repos: [repo], tags: [each] }));
    const [change] = compare(sides[0] as Contents, sides[1] as Contents).changes;
    expect(change).toMatchObject({ how: "changed", name: "latest", where: "nginx" });
    expect(change?.fields).toEqual([{ path: "digest", before: "sha256:1", after: "sha256:2" }]);
  });

  it("is not led astray by members with odd names", () => {
    const odd = JSON.parse(`{"uid": "${at("1")}", "__proto__": {"a": 1}, "constructor": "x"}`) as SnapshotRow;
    const { changes } = compare(contents({ repos: [{ uid: at("1") }] }), contents({ repos: [odd] }));
    expect(changes[0]?.fields.map(({ path }) => path)).toEqual(["__proto__", "constructor"]);
    expect(({} as Record<string, unknown>)["a"]).toBeUndefined();
  });
});

it("a binding is called by who has which role", () => {
  const binding = { uid: at("1"), identity: { email: "ada@example.com" }, role: { name: "owner" } };
  expect(nameOf(binding)).toBe("ada@example.com, owner");
});

it("counts what couldn't be read as unknown, not as none", () => {
  const read = contents({ groups: [group] }, { repos: "Hidden by your role" });
  expect(countsOf(read)).toBe("1 group, 0 roles, 0 role bindings, 0 identities, repos unknown, 0 tags");
});
