import type { Schema } from "./endpoint";
import type { FieldViolation } from "./status";

/** Formats `["requests", 0, "roleUid"]` as `requests[0].roleUid`, the path in the resource's body (AIP-193). */
const fieldPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");

/**
 * What a schema finds wrong with a value. A description says what the field has to be, without the field's name:
 * "must be a uid", or "required".
 */
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

/** True if a path is that of a field, or of a part of it. */
export const isAt = (path: string, field: string): boolean =>
  path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);
