import type { Filter } from "scim2-parse-filter";

import { invalidValue, ScimError } from "./error";
import { readFilter } from "./filter";
import { findAttribute, isNamed, type Attribute, type ResourceType } from "./schemas";
import { attributeOf, isFields, valueOf, complexValues, type ScimFields } from "./values";

export const PATCH_OP = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

const OPERATIONS = 1_000;

export type Verb = "add" | "replace" | "remove";

export interface PatchTarget {
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
function targetOf(type: ResourceType, path: string): PatchTarget {
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

/** One change of one attribute. Its values are in the schema's form. */
export interface PatchStep {
  readonly verb: Verb;
  readonly target: PatchTarget;
  readonly value: unknown;
}

/** The steps of an operation; without a path, one for each attribute of its value. */
function* partsOf(type: ResourceType, verb: Verb, path: unknown, value: unknown): Generator<PatchStep> {
  if (path !== undefined && path !== null && typeof path !== "string")
    throw new ScimError(400, "path must be text", "invalidPath");
  const extension = type.extensions.find(({ id }) => typeof path === "string" && isNamed(id, path));
  if (typeof path === "string" && path !== "" && !extension) {
    yield { verb, target: targetOf(type, path), value };
    return;
  }
  if (extension && verb === "remove") {
    for (const { name } of extension.attributes)
      yield* partsOf(type, verb, `${extension.id}:${name}`, undefined);
    return;
  }
  if (verb === "remove") throw new ScimError(400, "path is required to remove something", "noTarget");
  if (!isFields(value)) throw invalidValue("value must be an object if there is no path");
  for (const [key, item] of Object.entries(value)) {
    if (/^(?:schemas|id|meta)$/i.test(key)) continue;
    yield* partsOf(type, verb, extension ? `${extension.id}:${key}` : key, item);
  }
}

function verbOf(op: unknown): Verb {
  // Entra writes "Add", "Replace" and "Remove".
  const verb = typeof op === "string" ? op.toLowerCase() : "";
  if (verb === "add" || verb === "replace" || verb === "remove") return verb;
  throw new ScimError(400, "op must be add, replace or remove", "invalidSyntax");
}

/** The value of a step in the schema's form. */
function valueIn({ verb, target, value }: PatchStep): unknown {
  const { attribute, filter, sub } = target;
  if (sub) return verb === "remove" ? undefined : attributeOf(sub, value, `${attribute.name}.${sub.name}`);
  return filter ? valueOf(attribute, attribute.name, value) : attributeOf(attribute, value);
}

/** The steps of a PATCH request, all readable or none. Throws a ScimError. Work of one pass over the body. */
export function* stepsOf(type: ResourceType, body: ScimFields): Generator<void, PatchStep[]> {
  const schemas = body["schemas"];
  const operations = Object.entries(body).find(([key]) => isNamed("Operations", key))?.[1];
  if (!Array.isArray(schemas) || !schemas.some((one) => typeof one === "string" && isNamed(PATCH_OP, one)))
    throw new ScimError(400, `schemas must contain ${PATCH_OP}`, "invalidSyntax");
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > OPERATIONS)
    throw new ScimError(400, `Operations must be a list of 1 to ${OPERATIONS} operations`, "invalidSyntax");
  const steps: PatchStep[] = [];
  for (const operation of operations) {
    if (!isFields(operation)) throw new ScimError(400, "an operation must be an object", "invalidSyntax");
    const verb = verbOf(operation["op"]);
    if (verb !== "remove" && !("value" in operation))
      throw invalidValue(`value is required to ${verb} something`);
    for (const step of partsOf(type, verb, operation["path"], operation["value"]))
      steps.push({ ...step, value: valueIn(step) });
    yield;
  }
  return steps;
}

/** Ids of the users that steps make members of a group. */
export const membersNamed = (steps: readonly PatchStep[]): string[] => [
  ...new Set(
    steps.flatMap(({ verb, target, value }) =>
      target.attribute.name === "members" && verb !== "remove"
        ? complexValues(value).map((one) => String(one["value"]))
        : [],
    ),
  ),
];
