import * as z from "zod/mini";

import type { Schema } from "~/contract/endpoint";
import type { FieldViolation } from "~/contract/status";

import { invalidArgument } from "../../status";
import type { Masked } from "./masks";

// The contract has its own messages for most checks; the rest get zod's English ones instead of "Invalid input".
z.config(z.locales.en());

/** Formats `["requests", 0, "roleUid"]` as `requests[0].roleUid`, the path in the resource's body (contract 0.10). */
const fieldPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");

/** Violations of a schema, one sentence each. */
export const violationsOf = (schema: Schema, value: unknown): FieldViolation[] =>
  schema
    .safeParse(value)
    .error?.issues.map(({ path, message }) => ({ field: fieldPath(path), description: message })) ?? [];

/** The first violation of each field. */
export function oncePerField(violations: readonly FieldViolation[]): FieldViolation[] {
  const found = new Map<string, FieldViolation>();
  for (const violation of violations) if (!found.has(violation.field)) found.set(violation.field, violation);
  return [...found.values()];
}

/**
 * Validates a value that must also satisfy other rules; throws INVALID_ARGUMENT with all failing fields, one sentence
 * each (contract B22). The schema's violation of a field takes precedence.
 */
export function validate<T>(schema: Schema<T>, value: unknown, others: readonly FieldViolation[]): T {
  const result = schema.safeParse(value);
  if (result.success && others.length === 0) return result.data;
  throw invalidArgument(oncePerField([...violationsOf(schema, value), ...others]));
}

const isBelow = (field: string, above: string): boolean =>
  field.startsWith(`${above}.`) || field.startsWith(`${above}[`);

/** True if a mask names a violation's field, a part of it, or an object that contains it. */
export const isNamed =
  ({ paths }: Pick<Masked, "paths">) =>
  ({ field }: FieldViolation): boolean =>
    paths.some((path) => {
      const named = path.join(".");
      return field === named || isBelow(field, named) || isBelow(named, field);
    });
