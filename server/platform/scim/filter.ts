import { filter as matcher, parse, type Filter } from "scim2-parse-filter";

import { keyText } from "../store/scim/directory";
import { ScimError } from "./error";
import { findAttribute, type ResourceType } from "./schemas";

const LONGEST = 4_000;

const invalid = (message: string): ScimError => new ScimError(400, message, "invalidFilter");

/** Attributes whose case counts (RFC 7643, "caseExact"); ids are lower case. */
const EXACT = new Set(["externalid"]);

const QUOTED = /"(?:[^"\\]|\\.)*"/gs;

/**
 * Parses a filter, in which a value is a JSON text: `"CORP\\\\Admins"`, `"Gr\\u00f6\\u00dfe"` (RFC 7644, section 3.4.2.2).
 * Throws a ScimError.
 */
export function readFilter(text: string): Filter {
  if (text.length > LONGEST) throw invalid(`the filter must be at most ${LONGEST} characters long`);
  const values: string[] = [];
  try {
    // The parser does not know the escapes of JSON, so it is given the place of each text.
    const numbered = text.replaceAll(QUOTED, (quoted) => `"${values.push(JSON.parse(quoted)) - 1}"`);
    return withValues(parse(numbered), values);
  } catch {
    // Also of a filter that is nested too deeply.
    throw invalid("the filter cannot be read");
  }
}

/** The same filter with the text at each place. */
function withValues(filter: Filter, values: readonly string[]): Filter {
  if ("filters" in filter)
    return { ...filter, filters: filter.filters.map((one) => withValues(one, values)) };
  if ("filter" in filter) return { ...filter, filter: withValues(filter.filter, values) };
  if ("valFilter" in filter) return { ...filter, valFilter: withValues(filter.valFilter, values) };
  if (!("compValue" in filter) || typeof filter.compValue !== "string") return filter;
  return { ...filter, compValue: values[Number(filter.compValue)] ?? "" };
}

/** An attribute's path without the URN of the core schema, in lower case. */
function plainPath(path: string, { schema }: ResourceType): string {
  const [lower, urn] = [path.toLowerCase(), `${schema.id.toLowerCase()}:`];
  return lower.startsWith(urn) ? lower.slice(urn.length) : lower;
}

/** A list of objects is compared by their values: `emails co "example"` (RFC 7643, section 2.4). */
function comparedPath(path: string, type: ResourceType): string {
  const plain = plainPath(path, type);
  const attribute = findAttribute(type.attributes, plain);
  return attribute?.type === "complex" && attribute.multiValued ? `${plain}.value` : plain;
}

function comparable(path: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  // All our times are in this form.
  if (/^meta\.(?:created|lastmodified)$/.test(path)) {
    const time = new Date(value);
    if (Number.isNaN(time.getTime())) throw invalid(`${path} must be compared with a time`);
    return time.toISOString().toLowerCase();
  }
  return EXACT.has(path) ? value : keyText(value);
}

/** The same filter for values that `lowered` has prepared. */
function prepared(filter: Filter, type: ResourceType): Filter {
  switch (filter.op) {
    case "and":
    case "or":
      return { ...filter, filters: filter.filters.map((one) => prepared(one, type)) };
    case "not":
      return { ...filter, filter: prepared(filter.filter, type) };
    case "[]": {
      const attrPath = plainPath(filter.attrPath, type);
      return { ...filter, attrPath, valFilter: prepared(filter.valFilter, type) };
    }
    case "pr":
      return { ...filter, attrPath: plainPath(filter.attrPath, type) };
    default: {
      const attrPath = comparedPath(filter.attrPath, type);
      return { ...filter, attrPath, compValue: comparable(attrPath, filter.compValue) as string };
    }
  }
}

/** Texts in lower case, but for attributes whose case counts. */
const lowered = (value: unknown, key = ""): unknown => {
  if (typeof value === "string") return EXACT.has(key) ? value : keyText(value);
  if (Array.isArray(value)) return value.map((one) => lowered(one, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name.toLowerCase(), lowered(one, name.toLowerCase())]),
  );
};

/** What a value is compared with, for a budget: each costs a step. */
export function termsOf(filter: Filter): number {
  if (filter.op === "and" || filter.op === "or")
    return filter.filters.reduce((sum, one) => sum + termsOf(one), 1);
  if (filter.op === "not") return 1 + termsOf(filter.filter);
  return filter.op === "[]" ? 1 + termsOf(filter.valFilter) : 1;
}

/** The attributes and extensions that a filter names, in lower case. */
export function attributesIn(filter: Filter, type: ResourceType): string[] {
  if ("filters" in filter) return [...new Set(filter.filters.flatMap((one) => attributesIn(one, type)))];
  if ("filter" in filter) return attributesIn(filter.filter, type);
  const path = plainPath(filter.attrPath, type);
  // A resource has the schemas of which it has attributes.
  if (path === "schemas") return [path, ...type.extensions.map(({ id }) => id.toLowerCase())];
  const extension = type.extensions.find(({ id }) => path.startsWith(id.toLowerCase()));
  return [extension ? extension.id.toLowerCase() : (path.split(".", 1)[0] ?? path)];
}

/** The only texts that `value` can have if a prepared filter matches; undefined if it can be any. */
function valuesIn(filter: Filter): string[] | undefined {
  if (filter.op === "eq")
    return filter.attrPath === "value" && typeof filter.compValue === "string"
      ? [filter.compValue]
      : undefined;
  if (filter.op !== "and" && filter.op !== "or") return undefined;
  const parts = filter.filters.map(valuesIn);
  if (filter.op === "and") return parts.find((part) => part !== undefined);
  const known = parts.flatMap((part) => (part ? [part] : []));
  return known.length === parts.length ? known.flat() : undefined;
}

/**
 * `test` tells whether a resource, or one value of an attribute, matches. `values`: of those with a `value`, only these
 * can.
 */
export function matcherOf(filter: Filter, type: ResourceType) {
  const ready = prepared(filter, type);
  const test = matcher(ready);
  return { test: (value: unknown): boolean => test(lowered(value)), values: valuesIn(ready) };
}

/** What a filter requires of one attribute, so that an index finds the candidates: `userName eq "x"`, alone or in an `and`. */
export function required(filter: Filter, type: ResourceType, attributes: readonly string[]) {
  const all = filter.op === "and" ? filter.filters : [filter];
  for (const one of all) {
    if (one.op !== "eq") continue;
    const path = plainPath(one.attrPath, type);
    const name = attributes.find((attribute) => attribute.toLowerCase() === path);
    if (name !== undefined && typeof one.compValue === "string")
      return { name, value: String(comparable(path, one.compValue)) };
  }
  return undefined;
}
