import { expect, test } from "vitest";

import { endpoints } from "platform-contract";

import type { Operation } from "~/api/openapi/document";

import { groupOperations, prefilled, searchOperations } from "./data";
import { readExplorerSearch } from "./search";

const operations: readonly Operation[] = endpoints.map(({ id, collection, method, path, summary }) => ({
  id,
  also: [],
  method,
  path: path.replace("{parent}", "{uid}"),
  resource: collection,
  summary,
  description: "",
  capabilities: [],
  extension: false,
  issuesToken: false,
  parameters: [],
  body: undefined,
  examples: [],
  responses: [],
}));
const named = (id: string) => operations.find((one) => one.id === id) ?? (operations[0] as Operation);
const parameter = (name: string, where: "path" | "query") => ({
  name,
  in: where,
  required: false,
  description: "",
  schema: {},
});

test("resources come in the order of the navigation, each with what belongs to it", () => {
  const names = groupOperations(operations).map(({ name }) => name);
  const at = (name: string) => names.indexOf(name);
  expect(names[0]).toBe("Groups");
  expect(names.at(-1)).toBe("Ping");
  expect(at("Tags")).toBeLessThan(at("Registry usage"));
  expect(at("Registry usage")).toBeLessThan(at("Advisories"));
  expect(at("Identities")).toBeLessThan(at("Tokens"));
  expect(at("Tokens")).toBeLessThan(at("Roles"));
  expect(names).not.toContain("");
});

test("the search looks at paths, ids, methods, summaries and names, for every word", () => {
  const found = (words: string) => searchOperations(operations, words).map(({ id }) => id);
  expect(found("list tags")).toContain("tags.list");
  expect(found("LIST  TAGS")).toEqual(found("tags list"));
  expect(found("/registry/v2/tags/")).toContain("tags.get");
  expect(found("delete role bindings")).toContain("roleBindings.delete");
  expect(found("no such thing")).toEqual([]);
  expect(found("")).toHaveLength(operations.length);
});

test("the scope fills parameters that are groups, and no others", () => {
  const fill = (id: string, name: string, where: "path" | "query") =>
    prefilled(named(id), parameter(name, where), "g");
  expect(fill("tags.list", "uidp.descendants_of", "query")).toBe("g");
  expect(fill("roleBindings.list", "group", "query")).toBe("g");
  expect(fill("groups.get", "uid", "path")).toBe("g");
  expect(fill("identities.create", "uid", "path")).toBe("g");
  expect(fill("groups.signSnapshot", "uid", "path")).toBe("g");
  expect(fill("identities.get", "uid", "path")).toBeUndefined();
  // In a repo.
  expect(fill("tags.create", "uid", "path")).toBeUndefined();
  expect(fill("tags.list", "uidp.children_of", "query")).toBeUndefined();
});

test("an address has an operation and a search", () => {
  expect(readExplorerSearch({ op: "tags.list", find: "tags" })).toEqual({ op: "tags.list", find: "tags" });
  expect(readExplorerSearch({ op: "", find: "" })).toEqual({});
});
