import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";

import { UID_PATTERN } from "~/contract/aip";
import { endpoints, resources } from "~/contract/index";
import { DIGEST } from "~/contract/registry/tags";

import { readConfig } from "../config";
import { openApi } from "./openapi";

type Tree = { [key: string]: Tree };
const document = openApi(readConfig({}), endpoints, "2") as unknown as Tree;
const operations = Object.entries(document["paths"] ?? {}).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);
const parametersOf = (operation: Tree | undefined, place: string): string[] => {
  const parameters = (operation?.["parameters"] ?? []) as unknown as { name: string; in: string }[];
  return parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
};

test("it is valid OpenAPI 3.1, by the schema of the specification", async () => {
  const validator = new Validator();
  expect(await validator.validate({ ...document })).toEqual({ valid: true });
  expect(validator.version).toBe("3.1");
  const { info: _left, ...rest } = document;
  expect((await validator.validate(rest)).valid).toBe(false);
});

test("every operation is there once, with its capabilities, parameters and errors", () => {
  const ids = operations.map(({ operation }) => String(operation["operationId"]));
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, access, query } of endpoints) {
    const found = operations.find(({ operation }) => String(operation["operationId"]) === id)?.operation;
    expect(found?.["x-capabilities"]).toEqual({ at: access.at, needs: access.needs });
    expect(parametersOf(found, "query")).toEqual(Object.keys(query));
    expect(found?.["responses"]?.["default"]).toEqual({ $ref: "#/components/responses/Error" });
  }
});

test("no two templates mean the same paths", () => {
  const shapes = Object.keys(document["paths"] ?? {}).map((path) => path.replace(/\{\w+\}/g, "{}"));
  expect(new Set(shapes).size).toBe(shapes.length);
});

test("a path variable of a template is a parameter of its operations", () => {
  for (const { path, operation } of operations) {
    const inPath = parametersOf(operation, "path").map((name) => `{${name}}`);
    expect(inPath).toEqual(path.match(/\{\w+\}/g) ?? []);
  }
});

test("an organization is created at the collection itself", () => {
  expect(document["paths"]?.["/iam/v2/groups"]?.["post"]?.["operationId"]).toBe("groups.createAtRoot");
  expect(document["paths"]?.["/iam/v2/roles"]?.["post"]).toBeUndefined();
});

test("every reference leads somewhere", () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    ([, path]) => path ?? "",
  );
  expect(references.length).toBeGreaterThan(resources.length);
  for (const path of references)
    expect(path.split("/").reduce<Tree | undefined>((tree, key) => tree?.[key], document)).toBeDefined();
});

test("an answer takes unknown enum values, a request does not", () => {
  const schemas = document["components"]?.["schemas"];
  const identity = JSON.stringify(schemas?.["Identity"]?.["properties"]?.["servicePrincipal"]);
  const input = JSON.stringify(schemas?.["IdentityInput"]?.["properties"]?.["servicePrincipal"]);
  expect(identity).toBe('{"type":"string"}');
  expect(input).toContain("SERVICE_PRINCIPAL_COSIGNED");
});

test("a path variable has its own pattern", () => {
  for (const id of ["images.getArchitectures", "images.getSize"]) {
    const found = operations.find(({ operation }) => String(operation["operationId"]) === id)?.operation;
    const parameters = (found?.["parameters"] ?? []) as unknown as { name: string; schema: Tree }[];
    const patterns = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema["pattern"]]));
    expect(patterns).toMatchObject({ uid: UID_PATTERN.source, digest: DIGEST.source });
  }
});

test("the body of an update requires nothing, in none of its objects; what is in a list is whole", () => {
  const lacking = (schema: Tree | undefined, at: string): string[] => [
    ...(schema?.["required"] ? [at] : []),
    ...Object.entries(schema?.["properties"] ?? {}).flatMap(([key, field]) => lacking(field, `${at}.${key}`)),
  ];
  const schemas = document["components"]?.["schemas"];
  for (const { path, method, operation } of operations.filter((one) => one.method === "patch")) {
    const body = operation["requestBody"]?.["content"]?.["application/json"]?.["schema"];
    const [, name] = /^#\/components\/schemas\/(.*)$/.exec(String(body?.["$ref"])) ?? [];
    expect([method, path, lacking(name ? schemas?.[name] : body, "")]).toEqual([method, path, []]);
  }
  const users = schemas?.["RepoUpdate"]?.["properties"]?.["customOverlay"]?.["properties"]?.["accounts"];
  expect(users?.["properties"]?.["users"]?.["items"]?.["required"]).toEqual(["username"]);
});
