import * as z from "zod/mini";

import type { Schema } from "~/contract/endpoint";
import type { FieldViolation } from "~/contract/status";

import { invalidArgument } from "../status";

// The contract gives most checks their own sentence; the rest speak English instead of "Invalid input".
z.config(z.locales.en());

/** `["requests", 0, "roleUid"]` as `requests[0].roleUid`: the path in the resource's own body (contract 0.10). */
const fieldPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");

/**
 * Reads a value that also has to satisfy other rules; throws INVALID_ARGUMENT with every failing field at once, one
 * sentence each (contract B22). Of two findings on a field the schema's comes first.
 */
export function judge<T>(schema: Schema<T>, value: unknown, others: readonly FieldViolation[]): T {
  const result = schema.safeParse(value);
  if (result.success && others.length === 0) return result.data;
  const issues = result.error?.issues.map(({ path, message }) => [fieldPath(path), message] as const) ?? [];
  const found = new Map<string, string>();
  for (const [field, description] of [
    ...issues,
    ...others.map((other) => [other.field, other.description] as const),
  ])
    if (!found.has(field)) found.set(field, description);
  throw invalidArgument([...found].map(([field, description]) => ({ field, description })));
}
