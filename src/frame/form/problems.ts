import type { Schema } from "platform-contract/endpoint";
import { isAt, violationsOf } from "platform-contract/violations";
import type { FieldViolation } from "platform-contract/status";

/**
 * Validates a body against the contract, by API field names. For a stored record, checks only the fields that the
 * update names (`mask`): an old value that this console would reject must not block the change of another field.
 */
export function problemsOf(
  request: Schema,
  body: object,
  mask: readonly string[] | undefined,
): FieldViolation[] {
  return violationsOf(request, body)
    .filter(({ field }) => mask === undefined || mask.some((path) => isAt(field, path)))
    .map((each) => askedFor(each, body));
}

/** What is missing in a form's own words: the rule for a value does not help somebody who has not entered one. */
export function askedFor(violation: FieldViolation, body: object): FieldViolation {
  const { field, description } = violation;
  const value = (body as Readonly<Record<string, unknown>>)[field];
  if (value !== undefined && (typeof value !== "string" || value.trim() !== "")) return violation;
  if (field === "name") return { ...violation, description: "Enter a name" };
  const [, what] = /^must be the uid of (.+)$/.exec(description) ?? [];
  return what === undefined ? violation : { ...violation, description: `Choose ${what}` };
}
