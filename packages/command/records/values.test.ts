import { expect, test } from "vitest";

import { UsageError } from "../cli/errors";
import { kindNamed, KINDS, nameOf, operation } from "./kinds";
import { bodyOfFields } from "./values";

test("a kind is found by each of its names, and no name means two", () => {
  const names = KINDS.flatMap((kind) =>
    [kind.collection, nameOf(kind), kind.type, kind.noun, kind.plural].map((name) => [name, kind] as const),
  );
  for (const [name, kind] of names) expect(kindNamed(name), name).toBe(kind);
  expect(() => kindNamed("constructor")).toThrow(UsageError);
});

test("an operation that a kind lacks is not called", () => {
  expect(() => operation(kindNamed("tag"), "update")).toThrow("create it again");
  expect(() => operation(kindNamed("advisory"), "delete")).toThrow("can't delete advisories");
});

test("fields become what the contract says that they are", () => {
  const { body, paths } = bodyOfFields(kindNamed("repo"), [
    "name=web",
    "aliases=a",
    "aliases=b=c",
    "bundles=",
    "sync_config.source=x",
    "sync_config.uniqueTags=true",
    'customOverlay:={"contents":{"packages":["bash"]}}',
    "description=",
  ]);
  expect(body).toEqual({
    name: "web",
    aliases: ["a", "b=c"],
    bundles: [],
    sync_config: { source: "x", uniqueTags: true },
    customOverlay: { contents: { packages: ["bash"] } },
    description: "",
  });
  expect(paths).toContain("sync_config.source");
  expect(paths.filter((path) => path === "aliases")).toHaveLength(1);
});

test.each([
  ["name", "--field takes"],
  ["nam=x", "there are name,"],
  ["__proto__.x=1", "no field"],
  ["constructor=1", "no field"],
  ["sync_config=x", "has parts"],
  ["sync_config.uniqueTags=yes", "takes true or false"],
  ["customOverlay:={", "takes JSON"],
])("%s is no field of a repo", (field, sentence) => {
  expect(() => bodyOfFields(kindNamed("repo"), [field])).toThrow(sentence);
});
