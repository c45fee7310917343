import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";

import { UID_PATTERN } from "platform-contract/aip";
import type { Endpoint } from "platform-contract/endpoint";
import { endpoints, resources } from "platform-contract";
import { DIGEST } from "platform-contract/registry/tags";
import { gadgetVersions, oddGadgets } from "platform-contract/testing/invented";

import { EXAMPLES, FIELDS, PARAMETERS } from "platform-contract/descriptions";
import { violationsOf } from "platform-contract/violations";

import { readConfig } from "../../config";
import { namingOf } from "../grpc/names";
import { publishedFacts } from "../grpc/testing/published-proto";
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
  for (const { id, access, query, shares } of endpoints) {
    const found = operations.find(({ operation }) => String(operation["operationId"]) === (shares ?? id));
    const capabilities = { at: access.at, needs: access.needs };
    const also = found?.operation["x-also"] as unknown as { id: string }[] | undefined;
    expect(shares ? also?.find((one) => one.id === id) : found?.operation).toMatchObject({
      "x-capabilities": capabilities,
    });
    const parameters = parametersOf(found?.operation, "query");
    if (also) expect(parameters).toEqual(expect.arrayContaining(Object.keys(query)));
    else expect(parameters).toEqual(Object.keys(query));
    expect(found?.operation["responses"]?.["default"]).toEqual({ $ref: "#/components/responses/Error" });
  }
});

test("an operation is marked as an extension exactly where specification and published API lack it", () => {
  const published = new Set(publishedFacts.flatMap(({ kind, name }) => (kind === "method" ? [name] : [])));
  const marked = new Set(
    operations.flatMap(({ operation }) => {
      const also = (operation["x-also"] ?? []) as unknown as { id: string; "x-extension"?: boolean }[];
      return [
        ...(operation["x-extension"] ? [String(operation["operationId"])] : []),
        ...also.flatMap((one) => (one["x-extension"] ? [one.id] : [])),
      ];
    }),
  );
  // The specification has all standard methods of these, of which the published API lacks some; registering is of its v1.
  const specified = (id: string) =>
    id === "groupInvites.register" ||
    /^(?:terms|groupInvites|externalGroupRoleMappings)\.(?:list|get|create|update|delete)$/.test(id);
  for (const endpoint of endpoints) {
    if (endpoint.isToken) continue;
    const known = specified(endpoint.id) || published.has(namingOf(endpoint).rpc);
    expect([endpoint.id, marked.has(endpoint.id)]).toEqual([endpoint.id, !known]);
  }
  expect(marked.has("groups.offered")).toBe(true);
});

test("an operation that issues a token says so", () => {
  const issuing = operations.filter(({ operation }) => operation["x-issues-token"]);
  expect(issuing.map(({ operation }) => String(operation["operationId"]))).toEqual([
    "tokens.exchange",
    "tokens.exchangeByGet",
  ]);
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

/** Where a schema has fields without a description. */
function undescribed(schema: Tree | undefined, at: string): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const fields = Object.entries(schema["properties"] ?? {}).flatMap(([name, field]) => [
    ...(field["description"] || field["$ref"] ? [] : [`${at}.${name}`]),
    ...undescribed(field, `${at}.${name}`),
  ]);
  const parts = [schema["items"], schema["additionalProperties"], ...Object.values(schema["anyOf"] ?? {})];
  return [...fields, ...parts.flatMap((part) => undescribed(part, at))];
}
const bodyOf = (operation: Tree | undefined): Tree | undefined =>
  operation?.["requestBody"]?.["content"]?.["application/json"];

test("every operation, parameter and field has a description, and every body an example that is valid", () => {
  const missing = operations.flatMap(({ operation }) => {
    const id = String(operation["operationId"]);
    const parameters = (operation["parameters"] ?? []) as unknown as { name: string; description?: string }[];
    const answer = operation["responses"]?.["200"]?.["content"]?.["application/json"]?.["schema"];
    const body = bodyOf(operation);
    return [
      ...(operation["description"] ? [] : [id]),
      ...parameters.flatMap(({ name, description }) => (description ? [] : [`${id}?${name}`])),
      ...(body && body["example"] === undefined && body["examples"] === undefined ? [`${id}: example`] : []),
      ...undescribed(body?.["schema"], `${id} body`),
      ...undescribed(answer, `${id} answer`),
    ];
  });
  for (const [name, schema] of Object.entries(document["components"]?.["schemas"] ?? {}))
    missing.push(...undescribed(schema, name));
  expect(missing).toEqual([]);
  for (const { id, shares, body } of endpoints) {
    if (!body) continue;
    const found = bodyOf(
      operations.find(({ operation }) => String(operation["operationId"]) === (shares ?? id))?.operation,
    );
    const examples = found?.["example"]
      ? [found["example"]]
      : Object.values(found?.["examples"] ?? {}).map(({ value }) => value);
    // One of them is of this operation.
    const valid = examples.filter((example) => violationsOf(body, example).length === 0);
    expect([id, valid.length > 0]).toEqual([id, true]);
  }
});

test("every description is of something that is there", () => {
  const text = JSON.stringify(document);
  const stale = [...Object.values(FIELDS), ...Object.values(PARAMETERS)].filter(
    // That of an order goes on with its fields.
    (sentence) => !text.includes(JSON.stringify(sentence).slice(0, -1)),
  );
  expect(stale).toEqual([]);
  const ids = endpoints.flatMap(({ id, collection }) => [id, collection]);
  for (const key of Object.keys(EXAMPLES)) expect(ids).toContain(key);
});

test("an order says by which fields", () => {
  const found = operations.find(({ operation }) => String(operation["operationId"]) === "advisories.list");
  const parameters = found?.operation["parameters"] as unknown as { name: string; description: string }[];
  expect(parameters.find(({ name }) => name === "order_by")?.description).toBe(
    "The field to order by: one of uid, name, advisory_id, component_name, created_at, updated_at, severity, latest_event_time, optionally followed by asc or desc",
  );
});

test("an answer takes unknown enum values, a request does not", () => {
  const schemas = document["components"]?.["schemas"];
  const identity = JSON.stringify(schemas?.["Identity"]?.["properties"]?.["servicePrincipal"]);
  const input = JSON.stringify(schemas?.["IdentityInput"]?.["properties"]?.["servicePrincipal"]);
  expect(identity).toMatch(/^\{"description":"[^"]+","type":"string"\}$/);
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

test("fields that are not simply written and read back are marked", async () => {
  const invented = [oddGadgets.create, oddGadgets.get, oddGadgets.update, gadgetVersions] as unknown[];
  const { list: _list, ...gadgets } = oddGadgets;
  const made = openApi(readConfig({}), invented as Endpoint[], "2", [gadgets as never]) as unknown as Tree;
  expect(await new Validator().validate({ ...made })).toEqual({ valid: true });
  const schemas = made["components"]?.["schemas"];
  const input = schemas?.["OddGadgetInput"]?.["properties"];
  expect(input?.["ttl"]).toMatchObject({ writeOnly: true, type: "string" });
  expect(input?.["oidc"]?.["properties"]?.["clientSecret"]).toMatchObject({
    writeOnly: true,
    format: "password",
  });
  expect(schemas?.["OddGadgetUpdate"]?.["properties"]?.["externalGroupId"]?.["description"]).toMatch(
    /on creation/,
  );
  expect(schemas?.["OddGadgetUpdate"]?.["required"] ?? []).toEqual([]);
  expect(JSON.stringify(schemas?.["OddGadget"])).not.toMatch(/ttl|clientSecret|"code"/);
  expect(Object.keys(schemas?.["OddGadgetCreated"]?.["properties"] ?? {})).toContain("code");
  const [template, versions] = Object.entries(made["paths"] ?? {}).at(-1) ?? [];
  expect(template).toBe("/libraries/v2/artifacts/{artifactId}/versions");
  expect(parametersOf(versions?.["get"], "query")).toContain("page_token");
  const creation = made["paths"]?.["/iam/v2/oddGadgets/{uid}"]?.["post"];
  expect(JSON.stringify(creation?.["responses"])).toContain("#/components/schemas/OddGadgetCreated");
});
