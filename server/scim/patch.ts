import type { Filter } from "scim2-parse-filter";
import { isDeepStrictEqual } from "node:util";

import { invalidValue, ScimError } from "./error";
import { matches, readFilter } from "./filter";
import { findAttribute, isNamed, type Attribute, type ResourceType } from "./schemas";
import { attributeOf, isFields, resourceOf, valueOf, type Fields } from "./values";

export const PATCH_OP = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

const OPERATIONS = 1_000;

type Verb = "add" | "replace" | "remove";

interface Target {
  /** The URN of an extension, or undefined. */
  readonly extension: string | undefined;
  readonly attribute: Attribute;
  readonly filter: Filter | undefined;
  readonly sub: Attribute | undefined;
}

const PATH = /^(?:(urn:[\w.:-]+):)?([a-z][\w$-]*)(?:\[(.*)\])?(?:\.([a-z$][\w$-]*))?$/is;

const invalidPath = (path: string): ScimError =>
  new ScimError(
    400,
    `${JSON.stringify(path.slice(0, 200))} is no attribute that can be changed`,
    "invalidPath",
  );

/** Reads a path (RFC 7644, section 3.5.2). Throws a ScimError. */
function targetOf(type: ResourceType, path: string): Target {
  const [, urn, name = "", filter, last] = PATH.exec(path.trim()) ?? [];
  const extension = type.extensions.find(({ id }) => urn !== undefined && isNamed(id, urn));
  if (urn !== undefined && !extension && !isNamed(type.schema.id, urn)) throw invalidPath(path);
  const attribute = findAttribute(extension?.attributes ?? type.attributes, name);
  if (!attribute) throw invalidPath(path);
  const sub = last === undefined ? undefined : findAttribute(attribute.subAttributes ?? [], last);
  if (last !== undefined && !sub) throw invalidPath(path);
  if (filter !== undefined && !attribute.multiValued) throw invalidPath(path);
  if (attribute.mutability !== "readWrite" || (sub && sub.mutability !== "readWrite"))
    throw new ScimError(400, `${attribute.name} is read-only`, "mutability");
  return {
    extension: extension?.id,
    attribute,
    filter: filter === undefined ? undefined : readFilter(filter),
    sub,
  };
}

interface Step {
  readonly verb: Verb;
  readonly target: Target;
  readonly value: unknown;
}

/** The steps of an operation; without a path, one for each attribute of its value. */
function* stepsOf(type: ResourceType, verb: Verb, path: unknown, value: unknown): Generator<Step> {
  if (path !== undefined && path !== null && typeof path !== "string")
    throw new ScimError(400, "path must be text", "invalidPath");
  const extension = type.extensions.find(({ id }) => typeof path === "string" && isNamed(id, path));
  if (typeof path === "string" && path !== "" && !extension) {
    yield { verb, target: targetOf(type, path), value };
    return;
  }
  if (extension && verb === "remove") {
    for (const { name } of extension.attributes)
      yield* stepsOf(type, verb, `${extension.id}:${name}`, undefined);
    return;
  }
  if (verb === "remove") throw new ScimError(400, "path is required to remove something", "noTarget");
  if (!isFields(value)) throw invalidValue("value must be an object if there is no path");
  for (const [key, item] of Object.entries(value)) {
    if (/^(?:schemas|id|meta)$/i.test(key)) continue;
    yield* stepsOf(type, verb, extension ? `${extension.id}:${key}` : key, item);
  }
}

/** The value that a filter such as `type eq "work"` describes; undefined for any other filter. */
function described(filter: Filter, { subAttributes = [], name }: Attribute): Fields | undefined {
  const parts = filter.op === "and" ? filter.filters : [filter];
  const found: Fields = {};
  for (const one of parts) {
    const sub = one.op === "eq" ? findAttribute(subAttributes, one.attrPath) : undefined;
    if (one.op !== "eq" || !sub || sub.mutability !== "readWrite") return undefined;
    found[sub.name] = valueOf(sub, `${name}.${sub.name}`, one.compValue);
  }
  return found;
}

/** Adds what is not there yet. */
const union = (before: readonly unknown[], added: readonly unknown[]): unknown[] => {
  const known = new Set(before.map((one) => JSON.stringify(one)));
  return [...before, ...added.filter((one) => !known.has(JSON.stringify(one)))];
};

const primaryOnly = (items: readonly unknown[], changed: readonly unknown[]): unknown[] => {
  const isPrimary = (one: unknown) => isFields(one) && one["primary"] === true;
  const first = changed.find(isPrimary);
  // At most one value is primary (RFC 7643, section 2.4): the one that was set last.
  return first === undefined
    ? [...items]
    : items.map((one) => (isPrimary(one) && one !== first ? { ...(one as Fields), primary: false } : one));
};

/** Changes the values of a list that a filter selects. */
function applySelected(
  holder: Fields,
  type: ResourceType,
  { verb, target, value }: Step,
  filter: Filter,
): void {
  const { attribute, sub } = target;
  const { name } = attribute;
  const items = (holder[name] as unknown[] | undefined) ?? [];
  const isMatch = matches(filter, type);
  const selected = new Set(items.filter(isMatch));
  const change = (one: Fields): unknown => {
    if (sub)
      return {
        ...one,
        [sub.name]: verb === "remove" ? undefined : valueOf(sub, `${name}.${sub.name}`, value),
      };
    const next = valueOf(attribute, name, value);
    return { ...(verb === "add" ? one : described(filter, attribute)), ...(next as Fields) };
  };
  if (verb === "remove" && !sub) {
    holder[name] = items.filter((one) => !selected.has(one));
    return;
  }
  if (selected.size > 0 || verb === "remove") {
    const next = items.map((one) => (selected.has(one) ? change(one as Fields) : one));
    holder[name] = primaryOnly(
      next,
      next.filter((_, index) => selected.has(items[index])),
    );
    return;
  }
  const made = described(filter, attribute);
  if (!made) throw new ScimError(400, `no value of ${name} matches the path`, "noTarget");
  const item = change(made);
  holder[name] = primaryOnly([...items, item], [item]);
}

function apply(resource: Fields, type: ResourceType, step: Step): void {
  const { verb, target, value } = step;
  const { attribute, extension, filter, sub } = target;
  const { name } = attribute;
  if (extension !== undefined) resource[extension] ??= {};
  const holder = (extension === undefined ? resource : resource[extension]) as Fields;
  if (filter) return applySelected(holder, type, step, filter);
  if (sub) {
    const next = verb === "remove" ? undefined : attributeOf(sub, value, `${name}.${sub.name}`);
    const before = holder[name];
    holder[name] = attribute.multiValued
      ? ((before as Fields[] | undefined) ?? []).map((one) => ({ ...one, [sub.name]: next }))
      : { ...(before as Fields | undefined), [sub.name]: next };
    return;
  }
  const next = attributeOf(attribute, value);
  if (!attribute.multiValued) {
    const merges = verb !== "remove" && attribute.type === "complex" && isFields(next);
    holder[name] = verb === "remove" ? undefined : merges ? { ...(holder[name] as Fields), ...next } : next;
    return;
  }
  const [before, given] = [
    (holder[name] as unknown[] | undefined) ?? [],
    (next as unknown[] | undefined) ?? [],
  ];
  if (verb === "add") holder[name] = primaryOnly(union(before, given), given);
  else if (verb === "replace") holder[name] = given;
  // Entra names the values to remove in the value instead of the path.
  else
    holder[name] =
      value === undefined || value === null
        ? undefined
        : before.filter((one) => !given.some((gone) => isDeepStrictEqual(gone, one)));
}

function verbOf(op: unknown): Verb {
  // Entra writes "Add", "Replace" and "Remove".
  const verb = typeof op === "string" ? op.toLowerCase() : "";
  if (verb === "add" || verb === "replace" || verb === "remove") return verb;
  throw new ScimError(400, "op must be add, replace or remove", "invalidSyntax");
}

/** A resource after a PATCH request, in the schema's form; all operations or none. Throws a ScimError. */
export function patched(type: ResourceType, before: Fields, body: Fields): Fields {
  const schemas = body["schemas"];
  const operations = Object.entries(body).find(([key]) => isNamed("Operations", key))?.[1];
  if (!Array.isArray(schemas) || !schemas.some((one) => typeof one === "string" && isNamed(PATCH_OP, one)))
    throw new ScimError(400, `schemas must contain ${PATCH_OP}`, "invalidSyntax");
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > OPERATIONS)
    throw new ScimError(400, `Operations must be a list of 1 to ${OPERATIONS} operations`, "invalidSyntax");
  const resource = structuredClone(before);
  for (const operation of operations) {
    if (!isFields(operation)) throw new ScimError(400, "an operation must be an object", "invalidSyntax");
    const verb = verbOf(operation["op"]);
    if (verb !== "remove" && !("value" in operation))
      throw invalidValue(`value is required to ${verb} something`);
    for (const step of stepsOf(type, verb, operation["path"], operation["value"]))
      apply(resource, type, step);
  }
  return resourceOf(type, resource);
}
