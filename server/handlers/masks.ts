import { snakeCase } from "~/contract/aip";
import type { Schema } from "~/contract/endpoint";
import type { Facts } from "~/contract/resource";
import { shapeOf } from "~/contract/schema";

import { invalidArgument } from "../status";
import { isFields, type Fields } from "./values";

type Shape = Readonly<Record<string, Schema>>;
type Described = Pick<Facts<unknown, unknown>, "settable" | "answer" | "oneofs">;

/** The key that a name means in a shape, in either casing (contract C8). */
const keyOf = (shape: Shape, name: string): string | undefined =>
  Object.hasOwn(shape, name) ? name : Object.keys(shape).find((key) => snakeCase(key) === name);

/** The path through a schema that a mask names; undefined when there is no such field. Maps and lists are leaves. */
function resolve(shape: Shape, names: readonly string[]): string[] | undefined {
  const [name = "", ...rest] = names;
  const key = keyOf(shape, name);
  if (key === undefined) return undefined;
  if (rest.length === 0) return [key];
  const inner = shapeOf(shape[key] as Schema);
  const below = inner && resolve(inner, rest);
  return below && [key, ...below];
}

/** The leaf paths that a body holds: those of its objects, not of its maps and lists (contract 0.8). */
function leaves(shape: Shape, body: Fields, at: readonly string[] = []): string[][] {
  return Object.entries(body).flatMap(([key, value]) => {
    const inner = Object.hasOwn(shape, key) ? shapeOf(shape[key] as Schema) : undefined;
    const deeper = inner && isFields(value) && Object.keys(value).length > 0;
    return deeper ? leaves(inner, value, [...at, key]) : [[...at, key]];
  });
}

/** The paths to change, those that only the service sets left out. Throws INVALID_ARGUMENT naming unknown ones. */
export function maskPaths(
  { settable, answer }: Described,
  body: Fields,
  mask: string | undefined,
): string[][] {
  if (mask?.trim() === "*") return Object.keys(settable).map((key) => [key]);
  // Without a mask the fields that are present are what changes (contract B17). An empty mask is none.
  const given = mask?.trim() ? mask.split(",").map((path) => path.trim().split(".")) : undefined;
  const paths = given ?? leaves(settable, body);
  const known = shapeOf(answer) ?? {};
  const found = paths.map((names) => ({ names, path: resolve(settable, names) }));
  // What only the service sets is ignored; a path that leads nowhere is unknown, at the top and below a field alike.
  const unknown = found.filter(({ names, path }) => !path && !resolve(known, names));
  const violations = unknown.map(({ names }) => {
    const field = names.join(".");
    return {
      field: given ? "updateMask" : field,
      description: `there is no field "${field}" that can be changed`,
    };
  });
  if (violations.length > 0) throw invalidArgument(violations);
  return found.flatMap(({ path }) => (path ? [path] : []));
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

/** Setting one member of a oneof clears the others that the same request does not set (contract 0.2). */
function switchOneofs(
  fields: Fields,
  oneofs: Described["oneofs"],
  body: Fields,
  paths: readonly string[][],
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
 * The record after an update: the masked paths as in the body (cleared where the body has nothing), all else as it was.
 * The result is not judged yet.
 */
export function applyMask(
  resource: Described,
  current: Fields,
  body: Fields,
  mask: string | undefined,
): Fields {
  const paths = maskPaths(resource, body, mask);
  const changed = paths.reduce((fields, path) => withValue(fields, path, valueAt(body, path)), current);
  return switchOneofs(changed, resource.oneofs, body, paths);
}
