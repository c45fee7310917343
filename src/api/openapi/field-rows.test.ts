import { expect, test } from "vitest";

import { UID_PATTERN } from "platform-contract/aip";

import { fieldRows, sampleOf, typeWords } from "./field-rows";

const text = { type: "string" };
const uid = { type: "string", pattern: UID_PATTERN.source };
const named = {
  Rule: {
    type: "object",
    description: "A rule",
    properties: { name: text, inner: { $ref: "#/components/schemas/Rule" } },
    required: ["name"],
  },
  Loop: { $ref: "#/components/schemas/Loop" },
};
const rule = { $ref: "#/components/schemas/Rule" };

const shortRows = (schema: object) => fieldRows({ ...schema }, named).map(({ name, type }) => [name, type]);

test("an object is followed by its fields, lists and maps by those of their entries", () => {
  expect(
    shortRows({
      type: "object",
      properties: {
        uid,
        match: { type: "object", properties: { issuer: text } },
        keys: { type: "array", items: { type: "object", properties: { id: { type: "integer" } } } },
        claims: { type: "object", additionalProperties: text },
        limits: { type: "object", additionalProperties: { type: "object", properties: { most: text } } },
        any: {},
      },
      additionalProperties: {},
    }),
  ).toEqual([
    ["uid", "uid"],
    ["match", "object"],
    ["match.issuer", "text"],
    ["keys", "list of object"],
    ["keys[].id", "whole number"],
    ["claims", "map of text"],
    ["limits", "map of object"],
    ["limits.*.most", "text"],
    ["any", "any"],
  ]);
});

test("a list at the top has the fields of its entries", () => {
  expect(shortRows({ type: "array", items: rule })[0]).toEqual(["[].name", "text"]);
});

test("a reference has what it leads to, and is not unfolded within itself", () => {
  const rows = fieldRows({ type: "object", properties: { rules: { type: "array", items: rule } } }, named);
  expect(rows.map(({ name, type, required }) => [name, type, required])).toEqual([
    ["rules", "list of object", false],
    ["rules[].name", "text", true],
    ["rules[].inner", "Rule, as above", false],
  ]);
  expect(fieldRows({ type: "object", properties: { rule } }, named)[0]?.description).toBe("A rule");
});

test("references that only lead to each other, or nowhere, end", () => {
  const loop = { $ref: "#/components/schemas/Loop" };
  expect(fieldRows(loop, named)).toEqual([]);
  expect(typeWords(loop, named)).toBe("Loop");
  expect(shortRows({ properties: { gone: { $ref: "#/components/schemas/Gone" } } })).toEqual([
    ["gone", "Gone"],
  ]);
});

test("variants with fields follow each other; of plain ones the type says all", () => {
  expect(shortRows({ anyOf: [rule, { type: "object", properties: { ids: uid } }] })).toEqual([
    ["(1 of 2)", "Rule"],
    ["name", "text"],
    ["inner", "Rule, as above"],
    ["(2 of 2)", "object"],
    ["ids", "uid"],
  ]);
  expect(shortRows({ properties: { total: { type: ["string", "number"] } } })).toEqual([
    ["total", "text or number"],
  ]);
  expect(shortRows({ properties: { total: { oneOf: [text, { type: "null" }] } } })).toEqual([
    ["total", "text or null"],
  ]);
});

test("parts of allOf count together", () => {
  const both = { allOf: [rule, { properties: { more: text }, required: ["more"] }] };
  expect(fieldRows(both, named).map(({ name, required }) => [name, required])).toEqual([
    ["name", true],
    ["inner", false],
    ["more", true],
  ]);
});

test("rules and choices are said in words", () => {
  const [size, kind, names, secret, digest] = fieldRows(
    {
      properties: {
        size: { type: "integer", minimum: 0, maximum: 2_147_483_647 },
        kind: { type: "string", enum: ["KIND_A", "KIND_B"] },
        names: { type: "array", maxItems: 3, items: text },
        secret: { type: "string", format: "password", writeOnly: true },
        digest: { type: "string", pattern: "^sha256:", minLength: 1, maxLength: 9 },
      },
    },
    {},
  );
  expect(size?.rule).toBe("at least 0");
  expect(kind?.choices).toEqual(["KIND_A", "KIND_B"]);
  expect(names?.rule).toBe("at most 3 entries");
  expect([secret?.type, secret?.rule]).toEqual(["secret", "never in an answer"]);
  expect(digest?.rule).toBe("1 to 9 characters, matches ^sha256:");
});

test("a sample has the shape of an answer", () => {
  const schema = {
    type: "object",
    properties: {
      items: { type: "array", items: rule },
      kind: { type: "string", enum: ["KIND_UNSPECIFIED", "KIND_A"] },
      claims: { type: "object", additionalProperties: text },
      either: { anyOf: [{ type: "boolean" }, text] },
    },
  };
  expect(sampleOf(schema, named)).toEqual({
    items: [{ name: "text", inner: {} }],
    kind: "KIND_A",
    claims: { key: "text" },
    either: "true or false",
  });
});
