import type { Schema } from "platform-contract/endpoint";
import { isAt, violationsOf } from "platform-contract/violations";
import type { FieldViolation } from "platform-contract/status";
import { errorFacts, type ErrorFacts } from "~/ui/feedback/error-facts";

/**
 * Validates a body against the contract, by API field names. For a stored record, checks only the fields that the
 * update names (`mask`): an old value that this console would reject must not block the change of another field.
 */
export function problemsOf(
  request: Schema,
  body: object,
  mask: readonly string[] | undefined,
): FieldViolation[] {
  const { name } = body as { readonly name?: unknown };
  const nameless = name === undefined || (typeof name === "string" && name.trim() === "");
  return (
    violationsOf(request, body)
      .filter(({ field }) => mask === undefined || mask.some((path) => isAt(field, path)))
      // The naming rules do not help a user who has not entered a name.
      .map((each) => (each.field === "name" && nameless ? { ...each, description: "Enter a name" } : each))
  );
}

/** The facts of a failed write, with violations by the form's own field names. */
export function withFields(error: unknown, fieldOf: (path: string) => string): ErrorFacts {
  const { violations, ...facts } = errorFacts(error);
  return { ...facts, violations: violations.map((each) => ({ ...each, field: fieldOf(each.field) })) };
}
