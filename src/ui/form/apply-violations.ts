import type { FieldPath, FieldValues } from "react-hook-form";

import type { Violation } from "../feedback/error-facts";
import { placeProblems } from "./problems";
import { shownNames, type ResourceForm } from "./use-resource-form";

/**
 * Shows a server's field violations under their fields, and returns those that no field shows, for the form's alert.
 * Sets errors only on mounted fields: on any other path, an error could neither be seen nor cleared. It is cleared
 * when the field changes, and on the next submit, when the resolver validates everything again.
 */
export function applyViolations<V extends FieldValues, O>(
  form: ResourceForm<V, O>,
  violations: readonly Violation[],
  { aliases }: { aliases?: Readonly<Record<string, string>> } = {},
): Violation[] {
  const { placed, unmatched } = placeProblems(violations, shownNames(form), {
    ...form.kit.aliases,
    ...aliases,
  });
  for (const [name, message] of placed) {
    form.setError(name as FieldPath<V>, { type: "server", message });
  }
  return unmatched;
}
