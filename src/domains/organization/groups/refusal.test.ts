import { expect, it } from "vitest";

import { kindsIn } from "platform-contract/kinds";

import { isNotEmpty, refusalOf } from "./refusal";

const folders = { to: "/groups", search: { group: "a".repeat(40), reach: "here" } };
const listOf = (kind: string) => (kind === "groups" ? folders : undefined);
const preconditions = [{ type: "RESOURCE_NOT_EMPTY", description: "cannot delete group with child widgets" }];
const nothing = Object.fromEntries(kindsIn("groups").map(({ collection }) => [collection, 0]));

it("lists what is in the way with counts, and links where there is a screen", () => {
  const refusal = refusalOf(
    { ...nothing, groups: 1, roleBindings: 4 },
    { preconditions, requestId: "r1" },
    listOf,
  );
  expect(refusal.message).toBe("Delete these first:");
  expect(refusal.requestId).toBe("r1");
  expect(refusal.blockers).toEqual([
    { label: "role bindings", count: 4, link: undefined },
    { label: "folder", count: 1, link: folders },
  ]);
});

it("counts expiring records if the service says that they block", () => {
  const counts = { ...nothing, terms: 3, groupInvites: 2 };
  const { message, blockers } = refusalOf(
    counts,
    { preconditions, blockingCollections: ["groupInvites"] },
    listOf,
  );
  expect(blockers).toEqual([{ label: "invites", count: 2, link: undefined }]);
  expect(message).toBe("Delete these first:");
});

it("shows the service's message if it names no kinds", () => {
  const { message, blockers } = refusalOf(
    { ...nothing, groups: 1, groupInvites: 2 },
    { preconditions },
    listOf,
  );
  expect(blockers).toEqual([{ label: "folder", count: 1, link: folders }]);
  expect(message).toBe("Cannot delete group with child widgets. Delete these first:");
});

it("repeats what the service says where the console's count may miss something", () => {
  const told = "Cannot delete group with child widgets.";
  expect(refusalOf(nothing, { preconditions }, listOf).message).toContain(told);
  expect(refusalOf({ ...nothing, groups: 2, roles: undefined }, { preconditions }, listOf).message).toContain(
    told,
  );
});

it("distinguishes a group that isn't empty from other refusals", () => {
  expect(isNotEmpty({ preconditions })).toBe(true);
  expect(isNotEmpty({ preconditions: [{ type: "TERMS", description: "" }] })).toBe(false);
  expect(isNotEmpty({ preconditions: [] })).toBe(false);
});
