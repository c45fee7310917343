import { describe, expect, it, vi } from "vitest";

import { isBelow } from "~/contract/aip";
import type { Group } from "~/contract/iam/groups";

import { distantFolders, findRoots } from "./roots";

const ROOT = "a".repeat(40);
const OTHER = "b".repeat(40);
const child = (parent: string, index: number) => `${parent}/${index.toString(16).padStart(16, "0")}`;

describe("folders given without their organization", () => {
  const roles = [
    { uid: "viewer", name: "viewer", capabilities: ["CAP_IAM_GROUPS_LIST"] },
    { uid: "puller", name: "puller", capabilities: ["CAP_REPO_LIST"] },
  ];
  const binding = (group: string, roleUid: string) => ({ uid: child(group, 99), identityUid: "x", roleUid });

  it("are the topmost ones below organizations that are not held", () => {
    const bindings = [
      binding(ROOT, "viewer"),
      binding(child(ROOT, 1), "viewer"),
      binding(child(OTHER, 2), "viewer"),
      binding(child(child(OTHER, 2), 3), "viewer"),
      binding(child(OTHER, 7), "viewer"),
    ];
    expect(distantFolders(bindings, roles)).toEqual([child(OTHER, 2), child(OTHER, 7)]);
  });

  it("do not count where the role cannot read groups, and count where the role is not known", () => {
    const bindings = [
      binding(ROOT, "puller"),
      binding(child(ROOT, 1), "viewer"),
      binding(child(ROOT, 2), "puller"),
      binding(child(OTHER, 3), "unknown"),
      binding(child(child(OTHER, 3), 4), "viewer"),
    ];
    expect(distantFolders(bindings, roles).toSorted()).toEqual([
      child(ROOT, 1),
      child(OTHER, 3),
      child(child(OTHER, 3), 4),
    ]);
  });
});

describe("the walk over everything visible", () => {
  const world = (uids: readonly string[], pageSize: number) => {
    const sorted = uids.toSorted().map((uid): Group => ({ uid, name: uid }));
    const list = vi.fn(async ({ skip }: { skip: number }) => ({
      items: sorted.slice(skip, skip + pageSize),
      ...(skip + pageSize < sorted.length && { nextPageToken: "more" }),
    }));
    const countBelow = vi.fn(async (uid: string) => sorted.filter((group) => isBelow(group.uid, uid)).length);
    return { list, countBelow };
  };
  const walk = async ({ list, countBelow }: ReturnType<typeof world>) => {
    const found: string[] = [];
    for (let next: number | undefined = 0; next !== undefined;) {
      const step = await findRoots(next, list, countBelow);
      found.push(...step.roots.map(({ uid }) => uid));
      next = step.next;
    }
    return found;
  };

  it("finds distant folders in one request when all fits on a page", async () => {
    const first = child(ROOT, 5);
    const second = child(OTHER, 9);
    const small = world([first, child(first, 1), second, child(second, 1)], 200);
    expect(await walk(small)).toEqual([first, second]);
    expect(small.list).toHaveBeenCalledTimes(1);
    expect(small.countBelow).not.toHaveBeenCalled();
  });

  it("jumps over a large subtree instead of reading it", async () => {
    const large = Array.from({ length: 10_000 }, (_, index) => child(ROOT, index));
    const wide = world([ROOT, ...large, child(OTHER, 1), child(OTHER, 2)], 200);
    expect(await walk(wide)).toEqual([ROOT, child(OTHER, 1), child(OTHER, 2)]);
    expect(wide.list).toHaveBeenCalledTimes(2);
    expect(wide.countBelow).toHaveBeenCalledTimes(1);
  });

  it("reads on where the server does not count", async () => {
    const uids = Array.from({ length: 450 }, (_, index) => child(ROOT, index));
    const uncounted = world([ROOT, ...uids, OTHER], 200);
    uncounted.countBelow.mockResolvedValue(undefined as never);
    const found = await walk(uncounted);
    expect(found).toContain(ROOT);
    expect(found).toContain(OTHER);
    expect(uncounted.list).toHaveBeenCalledTimes(3);
  });
});
