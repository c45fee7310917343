import { UID_PATTERN } from "platform-contract/aip";
import { isObject, type Values } from "platform-contract/values";

import type { JsonSchema } from "./document";

/** One field of a body or an answer, at any depth. */
export interface FieldRow {
  /** From the outside: `claimMatch.issuer`, `rules[].name`; `claims.*` for the values of a map. */
  readonly name: string;
  /** In words: "list of text". */
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  /** The values that it can have, if they are few and known. */
  readonly choices: readonly string[];
  /** What else a value has to be: "1 to 200". */
  readonly rule: string;
}

/** More levels than any body has. */
const MAX_DEPTH = 16;

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const schemas = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value.filter(isObject) : []);
const text = (value: unknown): string => (typeof value === "string" ? value : "");

const referenceOf = (schema: JsonSchema): string | undefined => {
  const reference = schema["$ref"];
  return typeof reference === "string" ? reference.slice(reference.lastIndexOf("/") + 1) : undefined;
};

/** What a reference leads to, and of `allOf` everything together. A loop of references is empty. */
export function wholeSchema(schema: JsonSchema, named: Values, seen: readonly string[] = []): JsonSchema {
  const name = referenceOf(schema);
  if (name !== undefined) {
    const found = named[name];
    return isObject(found) && !seen.includes(name) ? wholeSchema(found, named, [...seen, name]) : {};
  }
  const parts = schemas(schema["allOf"]).map((part) => wholeSchema(part, named, seen));
  if (parts.length === 0) return schema;
  const all = [schema, ...parts];
  return {
    ...Object.assign({}, ...parts),
    ...schema,
    properties: Object.assign({}, ...all.map(({ properties }) => properties)) as unknown,
    required: all.flatMap(({ required }) => texts(required)),
  };
}

const variantsOf = (schema: JsonSchema): JsonSchema[] => schemas(schema["anyOf"] ?? schema["oneOf"]);

const WORDS: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  object: "object",
  null: "null",
};

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "time",
  password: "secret",
};

/** What a value of a schema is, in words. */
export function typeWords(schema: JsonSchema, named: Values, depth = 0): string {
  if (depth > MAX_DEPTH) return "any";
  const own = wholeSchema(schema, named);
  const variants = variantsOf(own);
  if (variants.length > 0)
    return [...new Set(variants.map((each) => typeWords(each, named, depth + 1)))].join(" or ");
  const types = [own["type"]].flat().map(String);
  const { items, additionalProperties, properties, pattern, format } = own;
  if (types.includes("array"))
    return `list of ${isObject(items) ? typeWords(items, named, depth + 1) : "anything"}`;
  if (pattern === UID_PATTERN.source) return "uid";
  if (
    properties === undefined &&
    isObject(additionalProperties) &&
    Object.keys(additionalProperties).length > 0
  )
    return `map of ${typeWords(additionalProperties, named, depth + 1)}`;
  const known = types.flatMap((type) => WORDS[type] ?? []);
  return FORMATS[text(format)] ?? (known.join(" or ") || referenceOf(schema) || "any");
}

/** "1 to 200", "at most 1000"; "" without limits. */
function between(least: unknown, most: unknown): string {
  // That of every int32 says nothing.
  const upper = most === 2_147_483_647 ? undefined : most;
  const [low, high] = [least, upper].map((limit) => (typeof limit === "number" ? limit : undefined));
  if (low !== undefined && high !== undefined) return `${low} to ${high}`;
  if (high !== undefined) return `at most ${high}`;
  return low === undefined ? "" : `at least ${low}`;
}

const counted = (limits: string, what: string): string => (limits === "" ? "" : `${limits} ${what}`);

/** The rule for a value beyond its type; "" if there is none. */
export function ruleWords(schema: JsonSchema, named: Values): string {
  const own = wholeSchema(schema, named);
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = own;
  const isUid = pattern === UID_PATTERN.source;
  return [
    between(minimum, maximum),
    counted(between(minLength, maxLength), "characters"),
    counted(between(minItems, maxItems), "entries"),
    typeof pattern === "string" && !isUid ? `matches ${pattern}` : "",
    own["writeOnly"] === true ? "never in an answer" : "",
  ]
    .filter(Boolean)
    .join(", ");
}

/** The values that a schema, or the entries of its list, can have. */
export function choicesOf(schema: JsonSchema, named: Values): string[] {
  const own = wholeSchema(schema, named);
  if (own["const"] !== undefined) return [String(own["const"])];
  return isObject(own["items"]) ? choicesOf(own["items"], named) : texts(own["enum"]);
}

/**
 * The fields of a schema, each object followed by its own. An object that contains itself is not unfolded again. Variants
 * (`anyOf`, `oneOf`) with fields of their own follow each other, each after a row that names it.
 */
export function fieldRows(schema: JsonSchema, named: Values): FieldRow[] {
  return rowsIn(schema, named, { path: "", seen: [] });
}

interface Place {
  /** Of the object that the fields are in. */
  readonly path: string;
  /** Names of the schemas around. */
  readonly seen: readonly string[];
}

const join = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

function rowsIn(schema: JsonSchema, named: Values, { path, seen }: Place): FieldRow[] {
  const name = referenceOf(schema);
  if ((name !== undefined && seen.includes(name)) || seen.length > MAX_DEPTH) return [];
  const parts = schemas(schema["allOf"]).map((part) => referenceOf(part) ?? "");
  const within = { path, seen: [...seen, name ?? "", ...parts] };
  const own = wholeSchema(schema, named);
  const { properties, items, additionalProperties } = own;
  const required = texts(own["required"]);
  const fields = Object.entries(isObject(properties) ? properties : {}).flatMap(([key, field]) =>
    isObject(field) ? fieldWithInner(join(path, key), field, named, required.includes(key), within) : [],
  );
  const inner = [
    ...(isObject(items) ? rowsIn(items, named, { ...within, path: `${path}[]` }) : []),
    // What any further field can be is no field.
    ...(properties === undefined && isObject(additionalProperties)
      ? rowsIn(additionalProperties, named, { ...within, path: join(path, "*") })
      : []),
  ];
  return [...fields, ...inner, ...variantRows(variantsOf(own), named, within)];
}

function fieldWithInner(
  name: string,
  field: JsonSchema,
  named: Values,
  required: boolean,
  { seen }: Place,
): FieldRow[] {
  const own = wholeSchema(field, named);
  const again = referenceOf(field);
  const repeated = again !== undefined && seen.includes(again);
  const row: FieldRow = {
    name,
    type: repeated ? `${again}, as above` : typeWords(field, named),
    required,
    description: text(field["description"]) || text(own["description"]),
    choices: choicesOf(field, named),
    rule: ruleWords(field, named),
  };
  return [row, ...rowsIn(field, named, { path: name, seen })];
}

function variantRows(variants: readonly JsonSchema[], named: Values, within: Place): FieldRow[] {
  const inner = variants.map((each) => rowsIn(each, named, within));
  if (inner.every((rows) => rows.length === 0)) return [];
  return variants.flatMap((each, index) => [
    {
      name: [within.path, `(${index + 1} of ${variants.length})`].filter(Boolean).join(" "),
      type: referenceOf(each) ?? typeWords(each, named),
      required: false,
      description: "One of these variants",
      choices: [],
      rule: "",
    },
    ...(inner[index] ?? []),
  ]);
}

/** A value of the shape of a schema, with words in place of values: what an answer looks like. */
export function sampleOf(schema: JsonSchema, named: Values, seen: readonly string[] = []): unknown {
  const name = referenceOf(schema);
  if ((name !== undefined && seen.includes(name)) || seen.length > MAX_DEPTH) return {};
  const within = [...seen, name ?? ""];
  const own = wholeSchema(schema, named);
  const [variant] = variantsOf(own);
  if (variant) return sampleOf(variant, named, within);
  const { properties, items, additionalProperties } = own;
  if (isObject(properties))
    return Object.fromEntries(
      Object.entries(properties).flatMap(([key, field]) =>
        isObject(field) ? [[key, sampleOf(field, named, within)]] : [],
      ),
    );
  if (isObject(items)) return [sampleOf(items, named, within)];
  if (isObject(additionalProperties) && Object.keys(additionalProperties).length > 0)
    return { key: sampleOf(additionalProperties, named, within) };
  return choicesOf(own, named).find((choice) => !choice.endsWith("_UNSPECIFIED")) ?? typeWords(own, named);
}
