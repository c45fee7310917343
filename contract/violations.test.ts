import { expect, test } from "vitest";

import { isAt, oncePerField, violationsOf } from "./violations";
import { repos } from "./registry/repos";

test("a violation has the path of its field, and says what that has to be without naming it", () => {
  const overlay = { contents: { runtimeRepositories: ["https://a.example", "ftp://x"] } };
  expect(violationsOf(repos.request, { name: "web", customOverlay: overlay })).toEqual([
    {
      field: "customOverlay.contents.runtimeRepositories[1]",
      description: "must be an http:// or https:// address",
    },
  ]);
});

test("each field has one violation, the first", () => {
  const [first, second, other] = [
    { field: "name", description: "required" },
    { field: "name", description: "must be longer" },
    { field: "parent", description: "must be a uid" },
  ] as const;
  expect(oncePerField([first, other, second])).toEqual([first, other]);
});

test.each([
  ["a", true],
  ["a.b", true],
  ["a[0].b", true],
  ["ab", false],
  ["b.a", false],
])("%s is at a: %j", (path, expected) => {
  expect(isAt(path, "a")).toBe(expected);
});
