import { describe, expect, it } from "vitest";

import { distantFolders } from "./roots";

const ROOT = "a".repeat(40);
const OTHER = "b".repeat(40);
const child = (parent: string, index: number) => `${parent}/${index.toString(16).padStart(16, "0")}`;

describe("folders given without their organization", () => {
  const roles = [
    { uid: "viewer", name: "viewer", capabilities: ["CAP_IAM_GROUPS_LIST"] },
    { uid: "puller", name: "puller", capabilities: ["CAP_REPO_LIST"] },
  ];
  const binding = (group: string, roleUid: string) => ({ uid: child(group, 99), identityUid: "x", roleUid });

  it("are the topmost groups below organizations that can't be read", () => {
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
