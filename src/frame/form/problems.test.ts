import { expect, test } from "vitest";

import { identityProviders } from "platform-contract/iam/identity-providers";
import { repos } from "platform-contract/registry/repos";

import { problemsOf } from "./problems";

const found = (body: object, mask?: readonly string[]) =>
  problemsOf(repos.request, body, mask).map(({ field, description }) => [field, description]);

test("reports problems at API field paths, with the index of a list entry", () => {
  const overlay = { contents: { runtimeRepositories: ["https://a.example", "ftp://x"] } };
  expect(found({ name: "web", customOverlay: overlay })).toEqual([
    ["customOverlay.contents.runtimeRepositories[1]", expect.any(String)],
  ]);
});

test("has its own sentence for a missing name", () => {
  expect(found({})).toEqual([["name", "Enter a name"]]);
  expect(found({ name: "Not A Name" })).toEqual([["name", expect.stringContaining("lowercase")]]);
});

test("asks for a record that was not chosen, and says the rule of a wrong one", () => {
  const ofRole = (defaultRole: string | undefined) =>
    problemsOf(identityProviders.request, { defaultRole }, ["defaultRole"]);
  expect(ofRole("")).toEqual([{ field: "defaultRole", description: "Choose a role" }]);
  expect(ofRole(undefined)).toEqual([{ field: "defaultRole", description: "Choose a role" }]);
  expect(ofRole("x")).toEqual([{ field: "defaultRole", description: "must be the uid of a role" }]);
});

test("validates only the changed fields of a stored record", () => {
  const body = { name: "Not A Name", description: "new" };
  expect(found(body, ["description"])).toEqual([]);
  expect(found(body, ["name"])).toHaveLength(1);
});
