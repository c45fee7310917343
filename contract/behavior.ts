import * as z from "zod/mini";

import type { Schema } from "./endpoint";
import { definitionOf, required, shapeOf } from "./schema";
import { isObject } from "./values";

/** Fields that are not simply written and read back (AIP-203), as dotted paths: `oidc.clientSecret`. */
export interface Behavior {
  /** Accepted but never returned: their effect shows in another field. */
  readonly inputOnly: readonly string[];
  /** The same, and never in a draft, log or export. An update that does not name one explicitly leaves it unchanged. */
  readonly secret: readonly string[];
  /** Set only on creation. An update can repeat the value. */
  readonly createOnly: readonly string[];
  /** Output fields that only the response to a create has. */
  readonly shownOnce: readonly string[];
}

export const PLAIN: Behavior = { inputOnly: [], secret: [], createOnly: [], shownOnce: [] };

/** The fields that get, list and update responses omit. */
export const unanswered = ({ inputOnly, secret, shownOnce }: Behavior): string[] => [
  ...inputOnly,
  ...secret,
  ...shownOnce,
];

/** Returns the paths below a key, relative to it; "" stands for the key itself. */
const below = (paths: readonly string[], key: string): string[] =>
  paths.flatMap((path) =>
    path === key ? [""] : path.startsWith(`${key}.`) ? [path.slice(key.length + 1)] : [],
  );

/** Returns the reader's schema of an object without the fields at these paths. */
export function omitFields(schema: Schema, paths: readonly string[]): Schema {
  const shape = shapeOf(schema);
  if (!shape || paths.length === 0) return schema;
  const kept = Object.entries(shape).flatMap(([key, field]) => {
    const inner = below(paths, key);
    return inner.includes("") ? [] : [[key, omitFields(field, inner)]];
  });
  const object = z.looseObject(Object.fromEntries(kept));
  return required(schema) === schema ? object : z.optional(object);
}

/** Returns a value without the fields at these paths. */
export function omitPaths<T extends Readonly<Record<string, unknown>>>(
  value: T,
  paths: readonly string[],
): T {
  if (paths.length === 0) return value;
  const kept = Object.entries(value).flatMap(([key, item]) => {
    const inner = below(paths, key);
    if (inner.includes("")) return [];
    return [[key, isObject(item) ? omitPaths(item, inner) : item]];
  });
  return Object.fromEntries(kept) as T;
}

/** Throws if a path matches no field: a typo would expose a secret. */
export function checkPaths(behavior: Behavior, settable: Schema, output: Schema): void {
  const leads = (schema: Schema, path: string): boolean => {
    const [key = "", ...rest] = path.split(".");
    const field = shapeOf(schema)?.[key];
    if (!field || definitionOf(required(field)).type === "record")
      return field !== undefined && rest.length === 0;
    return rest.length === 0 || leads(field, rest.join("."));
  };
  const { inputOnly, secret, createOnly, shownOnce } = behavior;
  const lost = [
    ...[...inputOnly, ...secret, ...createOnly].filter((path) => !leads(settable, path)),
    ...shownOnce.filter((path) => !leads(output, path)),
  ];
  if (lost.length > 0) throw new Error(`There is no field ${lost.join(", ")}`);
}
