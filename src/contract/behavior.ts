import * as z from "zod/mini";

import type { Schema } from "./endpoint";
import { definitionOf, required, shapeOf } from "./schema";

/** Fields that are not simply written and read back (AIP-203), as dotted paths: `oidc.clientSecret`. */
export interface Behavior {
  /** Taken and never answered: what they lead to stands in another field. */
  readonly inputOnly: readonly string[];
  /** The same, and in no draft, log or export. An update that does not name one itself leaves it as it is. */
  readonly secret: readonly string[];
  /** Set on creation. An update may repeat the value (contract B28). */
  readonly createOnly: readonly string[];
  /** Fields of the service that the answer to a create has, and no other answer (contract B26). */
  readonly shownOnce: readonly string[];
}

export const PLAIN: Behavior = { inputOnly: [], secret: [], createOnly: [], shownOnce: [] };

/** What no get, list or update answers. */
export const unanswered = ({ inputOnly, secret, shownOnce }: Behavior): string[] => [
  ...inputOnly,
  ...secret,
  ...shownOnce,
];

/** What of `paths` lies below a key, from there on; "" stands for the key itself. */
const below = (paths: readonly string[], key: string): string[] =>
  paths.flatMap((path) =>
    path === key ? [""] : path.startsWith(`${key}.`) ? [path.slice(key.length + 1)] : [],
  );

/** A reader's schema of an object without the fields at these paths. */
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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value without what stands at these paths. */
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

/** Throws where a path leads to no field: a typo would give away a secret. */
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
