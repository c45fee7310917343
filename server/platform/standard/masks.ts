import { isDeepStrictEqual } from "node:util";

import type { Behavior } from "platform-contract/behavior";
import type { Schema } from "platform-contract/endpoint";
import type { Facts } from "platform-contract/resource";
import { definitionOf, required, shapeOf } from "platform-contract/schema";
import { keyOf } from "platform-contract/spelling";
import type { FieldViolation } from "platform-contract/status";

import { isFields, type Fields } from "./values";

type Shape = Readonly<Record<string, Schema>>;
type Described = Pick<Facts<unknown, unknown>, "settable" | "answer" | "oneofs"> & {
  readonly behavior?: Behavior;
};

/** What an update changes. */
export interface Masked {
  /** Paths of settable fields. */
  readonly paths: readonly (readonly string[])[];
  /** Mask paths and body keys that do not exist. */
  readonly violations: readonly FieldViolation[];
}

/** Keys come from callers, and can be those of Object.prototype. */
const own = (shape: Shape, key: string): Schema | undefined =>
  Object.hasOwn(shape, key) ? shape[key] : undefined;

/** Resolves a mask path against a schema; undefined if there is no such field. Maps and lists are leaves. */
function resolve(shape: Shape, names: readonly string[]): string[] | undefined {
  const [name = "", ...rest] = names;
  const key = keyOf(shape, name);
  if (key === undefined) return undefined;
  if (rest.length === 0) return [key];
  const inner = shape[key] && shapeOf(shape[key]);
  const below = inner && resolve(inner, rest);
  return below && [key, ...below];
}

/** Returns the leaf paths of a body, descending into objects but not into maps and lists (AIP-134). */
function leaves(shape: Shape, body: Fields, at: readonly string[] = []): string[][] {
  return Object.entries(body).flatMap(([key, value]) => {
    const schema = own(shape, key);
    const inner = schema && shapeOf(schema);
    const deeper = inner && isFields(value) && Object.keys(value).length > 0;
    return deeper ? leaves(inner, value, [...at, key]) : [[...at, key]];
  });
}

/** Returns the keys of a value that its schema lacks, including objects in lists; map keys are arbitrary. */
function unknownKeys(schema: Schema, value: unknown, at: string): string[] {
  const { element } = definitionOf(required(schema));
  if (Array.isArray(value))
    return element ? value.flatMap((item, index) => unknownKeys(element, item, `${at}[${index}]`)) : [];
  const shape = shapeOf(schema);
  if (!shape || !isFields(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const inner = own(shape, key);
    return inner ? unknownKeys(inner, item, `${at}.${key}`) : [`${at}.${key}`];
  });
}

const noSuchField = (field: string, at = field): FieldViolation => ({
  field: at,
  description: `"${field}" is not a field that can be updated`,
});

/** Returns the paths that an update changes. Skips output-only fields; unknown ones are violations. */
export function readMask(
  { settable, answer, behavior }: Described,
  body: Fields,
  updateMask: unknown,
): Masked {
  const mask = typeof updateMask === "string" ? updateMask : undefined;
  const whole = mask?.trim() === "*";
  // Without a mask, all fields in the body change. An empty mask counts as none.
  const given = !whole && mask?.trim() ? mask.split(",").map((path) => path.trim().split(".")) : undefined;
  const named = given ?? (whole ? Object.keys(body).map((key) => [key]) : leaves(settable, body));
  const known = shapeOf(answer) ?? {};
  const found = named.map((names) => ({ names, path: resolve(settable, names) }));
  // Unknown fields, at the top level or nested.
  const nowhere = found.filter(({ names, path }) => !path && !resolve(known, names));
  const paths = whole
    ? Object.keys(settable)
        // A full replacement cannot repeat fields that no response has.
        .filter((key) => !behavior?.inputOnly.includes(key) || set(body[key]))
        .map((key) => [key])
    : found.flatMap(({ path }) => (path ? [path] : []));
  const inside = paths.flatMap((path) => {
    const schema = schemaAt(settable, path);
    return schema ? unknownKeys(schema, valueAt(body, path), path.join(".")) : [];
  });
  return {
    paths,
    violations: [
      ...nowhere.map(({ names }) => noSuchField(names.join("."), given && "updateMask")),
      ...inside.map((field) => noSuchField(field)),
    ],
  };
}

function schemaAt(shape: Shape, [key = "", ...rest]: readonly string[]): Schema | undefined {
  const schema = own(shape, key);
  return schema && rest.length > 0 ? schemaAt(shapeOf(schema) ?? {}, rest) : schema;
}

const valueAt = (fields: Fields, [key = "", ...rest]: readonly string[]): unknown => {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return rest.length === 0 ? value : isFields(value) ? valueAt(value, rest) : undefined;
};

function withValue(fields: Fields, [key = "", ...rest]: readonly string[], value: unknown): Fields {
  const inner = fields[key];
  return {
    ...fields,
    [key]: rest.length === 0 ? value : withValue(isFields(inner) ? inner : {}, rest, value),
  };
}

const set = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

/** Setting a member of a oneof clears the others, unless the same request sets them. */
function switchOneofs(
  fields: Fields,
  oneofs: Described["oneofs"],
  body: Fields,
  paths: Masked["paths"],
): Fields {
  let next = fields;
  for (const { at, members } of oneofs) {
    const above = at === "" ? [] : [at];
    const assigned = members.filter((member) => {
      const place = [...above, member];
      const named = paths.some((path) => path.every((key, index) => (place[index] ?? key) === key));
      return named && set(valueAt(body, place));
    });
    if (assigned.length === 0) continue;
    for (const member of members)
      if (!assigned.includes(member) && set(valueAt(next, [...above, member])))
        next = withValue(next, [...above, member], undefined);
  }
  return next;
}

/**
 * Returns the record after an update: masked paths as in the body (cleared if missing there), all else unchanged. The
 * result is not validated yet.
 */
export function applyMask(resource: Described, current: Fields, body: Fields, { paths }: Masked): Fields {
  const changed = paths.reduce((fields, path) => withValue(fields, path, valueAt(body, path)), current);
  const { createOnly = [], secret = [] } = resource.behavior ?? {};
  const named = new Set(paths.map((path) => path.join(".")));
  const kept = [
    ...createOnly,
    // A client that replaces the object around a secret cannot repeat it: it is only cleared if named itself.
    ...secret.filter((path) => !named.has(path) && !set(valueAt(body, path.split(".")))),
  ];
  const fields = kept
    .map((path) => path.split("."))
    .filter((path) => !isDeepStrictEqual(valueAt(changed, path), valueAt(current, path)))
    // Setting another member of a oneof removes the object around the field.
    .filter((path) => path.length === 1 || isFields(valueAt(changed, path.slice(0, -1))))
    .reduce((next, path) => withValue(next, path, valueAt(current, path)), changed);
  return switchOneofs(fields, resource.oneofs, body, paths);
}

/** Returns violations for create-only fields that an update would change. */
export const fixedViolations = (
  { behavior }: Pick<Described, "behavior">,
  current: Fields,
  body: Fields,
  { paths }: Pick<Masked, "paths">,
): FieldViolation[] =>
  (behavior?.createOnly ?? []).flatMap((field) => {
    const place = field.split(".");
    const named = paths.some((path) => path.every((key, index) => (place[index] ?? key) === key));
    const itself = paths.some((path) => path.join(".") === field);
    const [next, stored] = [valueAt(body, place), valueAt(current, place)];
    const same = isDeepStrictEqual(set(next) ? next : undefined, set(stored) ? stored : undefined);
    // A full replacement that omits the field leaves it unchanged.
    const silent = !set(next) && (!itself || !Object.hasOwn(body, place[0] ?? ""));
    return named && !same && !silent ? [{ field, description: "can be set on creation only" }] : [];
  });
