import * as z from "zod/mini";

import type { Schema } from "platform-contract/endpoint";
import type { FieldViolation } from "platform-contract/status";
import { isAt, oncePerField, violationsOf } from "platform-contract/violations";

import { invalidArgument } from "../../status";
import type { Masked } from "./masks";

// The contract has its own messages for most checks; the rest get zod's English ones instead of "Invalid input".
z.config(z.locales.en());

/**
 * Validates a value that must also satisfy other rules; throws INVALID_ARGUMENT with all failing fields, one sentence
 * each. The schema's violation of a field takes precedence.
 */
export function validate<T>(schema: Schema<T>, value: unknown, others: readonly FieldViolation[]): T {
  const result = schema.safeParse(value);
  if (result.success && others.length === 0) return result.data;
  throw invalidArgument(oncePerField([...violationsOf(schema, value), ...others]));
}

/** True if a mask names a violation's field, a part of it, or an object that contains it. */
export const isNamed =
  ({ paths }: Pick<Masked, "paths">) =>
  ({ field }: FieldViolation): boolean =>
    paths.some((path) => {
      const named = path.join(".");
      return isAt(field, named) || isAt(named, field);
    });
