import { expect, it } from "vitest";

import { onlyGroup } from "./chosen-group";
import type { TopGroups } from "./top-groups";

const organization = { uid: "a".repeat(40), name: "acme" } as TopGroups["organizations"][number];
const folder = { uid: `${"b".repeat(40)}/${"1".repeat(16)}`, name: "team" } as TopGroups["folders"][number];
const one: TopGroups = {
  organizations: [organization],
  folders: [],
  more: false,
  state: "ready",
  error: undefined,
};

it("needs no choice of the only group, be it an organization or a folder", () => {
  expect(onlyGroup(one)).toBe(organization.uid);
  expect(onlyGroup({ ...one, organizations: [], folders: [folder] })).toBe(folder.uid);
});

it("doesn't choose among several, nor before all are known", () => {
  expect(onlyGroup({ ...one, folders: [folder] })).toBeUndefined();
  expect(onlyGroup({ ...one, more: true })).toBeUndefined();
  expect(onlyGroup({ ...one, state: "loading" })).toBeUndefined();
  expect(onlyGroup({ ...one, organizations: [] })).toBeUndefined();
});
