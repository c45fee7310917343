import { expect, it } from "vitest";

import type { RoleBinding } from "platform-contract/iam/role-bindings";
import type { Role } from "platform-contract/iam/roles";

import { accessOf, imagesOf } from "./effective";

const ROOT = "a".repeat(40);
const team = `${ROOT}/${"1".repeat(16)}`;
const other = `${ROOT}/${"2".repeat(16)}`;
const roles: Role[] = [
  { uid: "viewer", name: "viewer", capabilities: ["CAP_REPO_LIST", "CAP_TAG_LIST"] },
  { uid: "pusher", name: "pusher", capabilities: ["CAP_TAG_CREATE", "CAP_TAG_LIST"] },
];
const binding = (group: string, roleUid: string): RoleBinding =>
  ({ uid: `${group}/${roleUid.padEnd(16, "0")}`, roleUid }) as RoleBinding;
const inRoot = `${ROOT}/${"b".repeat(16)}`;
const inTeam = `${team}/${"b".repeat(16)}`;

it("a group has what is granted there and above, with the nearest reason first", () => {
  const [root, below] = accessOf(inRoot, [binding(ROOT, "viewer"), binding(team, "pusher")], roles);
  expect(root).toMatchObject({
    group: ROOT,
    held: [{ capability: "CAP_REPO_LIST" }, { capability: "CAP_TAG_LIST" }],
  });
  const why = below?.held.map(({ capability, by }) => [capability, ...by.map(({ roleUid }) => roleUid)]);
  expect(why).toEqual([
    ["CAP_TAG_CREATE", "pusher"],
    ["CAP_TAG_LIST", "pusher", "viewer"],
    ["CAP_REPO_LIST", "viewer"],
  ]);
});

it("what an identity cannot reach gives nothing", () => {
  const bindings = [binding(ROOT, "viewer"), binding(other, "viewer"), binding(team, "viewer")];
  expect(accessOf(inTeam, bindings, roles).map(({ group }) => group)).toEqual([team]);
});

it("a role that cannot be read is said to be unknown, there and below", () => {
  const secret = binding(ROOT, "secret");
  const found = accessOf(inRoot, [secret, binding(team, "pusher")], roles);
  expect(found.map(({ unknown }) => unknown)).toEqual([[secret], [secret]]);
});

it("says where an identity pulls and pushes, without folders that a folder above says already", () => {
  const images: Role[] = [
    { uid: "pull", name: "pull", capabilities: ["CAP_REPO_BLOBS_GET"] },
    { uid: "push", name: "push", capabilities: ["CAP_MANIFEST_CREATE"] },
    { uid: "other", name: "other", capabilities: ["CAP_TAG_LIST"] },
  ];
  const bindings = [
    binding(ROOT, "pull"),
    binding(team, "pull"),
    binding(other, "push"),
    binding(other, "other"),
  ];
  expect(imagesOf(accessOf(inRoot, bindings, images))).toEqual([
    { group: ROOT, pull: true, push: false },
    { group: other, pull: true, push: true },
  ]);
  expect(imagesOf(accessOf(inRoot, [binding(ROOT, "other")], images))).toEqual([]);
});
