import { describe, expect, it } from "vitest";

import type { Identity } from "platform-contract/iam/identities";

import { lastSeen } from "./last-seen";

const root = "a".repeat(40);
const machine: Identity = { uid: `${root}/${"b".repeat(16)}`, name: "ci" };

describe("last seen", () => {
  const createTime = "2026-01-28T12:54:21.189Z";

  it("is never for a machine whose time was set when it was made", () => {
    expect(lastSeen({ ...machine, createTime, lastSeenTime: "2026-01-28T12:54:21.187Z" })).toBeUndefined();
    expect(lastSeen({ ...machine, createTime })).toBeUndefined();
  });

  it("is the time for one that was used since, and for a person who signed in", () => {
    const lastSeenTime = "2026-01-28T12:54:30.000Z";
    expect(lastSeen({ ...machine, createTime, lastSeenTime })).toBe(lastSeenTime);
    expect(lastSeen({ uid: root, name: "ada", createTime, lastSeenTime: createTime })).toBe(createTime);
    expect(lastSeen({ ...machine, lastSeenTime })).toBe(lastSeenTime);
  });
});
