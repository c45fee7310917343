import { expect, it } from "vitest";

import { BUILT_IN_ROLES } from "platform-contract/iam/built-in-roles";
import { capabilities } from "platform-contract/iam/capabilities";
import type { Role } from "platform-contract/iam/roles";

import { findRoles } from "./find-roles";

const wire = (dotted: string) => capabilities.find((facts) => facts.dotted === dotted)?.wire ?? "";
const role = (name: string, dotted: readonly string[], rest: Partial<Role> = {}): Role => ({
  uid: name,
  name,
  description: `${name} Role (built-in)`,
  capabilities: dotted.map(wire),
  ...rest,
});

const owner = role(
  "owner",
  capabilities.map(({ dotted }) => dotted),
);
const editor = role("editor", BUILT_IN_ROLES["editor"]?.can ?? []);
const pusher = role("ci", ["manifest.list", "repo.blobs.get", "manifest.create", "tag.create"]);
const all = [owner, editor, pusher];
const names = (text: string) => findRoles(text, all).map(({ role: { name } }) => name);

it("finds by a word what a role can do, the smallest first", () => {
  // The editor's words say that it can't push.
  expect(names("push")).toEqual(["ci", "owner"]);
  const [found] = findRoles("push", all);
  expect(found?.capabilities.some((words) => words.includes("(manifest.create)"))).toBe(true);
});

it("finds by dotted names and by their words", () => {
  expect(names("tag.create")).toEqual(["ci", "owner"]);
  expect(names("repo.upd")).toEqual(["editor", "owner"]);
  expect(names("create role bindings")).toEqual(["owner"]);
});

it("finds by name first", () => {
  expect(names("edit")[0]).toBe("editor");
  expect(findRoles("owner", all)[0]?.capabilities).toEqual([]);
});

it("finds by the words of a description, and nothing by nonsense", () => {
  const nightly = role("nightly", ["tag.list"], { uid: "a/b", description: "For the night shift" });
  expect(findRoles("night shift", [nightly])).toHaveLength(1);
  expect(findRoles("zzz", [...all, nightly])).toEqual([]);
  expect(findRoles(" ", all).map((found) => found.role)).toEqual(all);
});
