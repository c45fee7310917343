import type { FieldPath, FieldValues } from "react-hook-form";

import type { Violation } from "../feedback/error-facts";
import { placeProblems } from "./problems";
import { shownNames, type ResourceForm } from "./use-resource-form";

/**
 * Puts a server's field violations under their fields and returns those that no field shows, for the form's alert.
 * An error is only set on a field that is on the screen: on any other path it could neither be seen nor cleared. It
 * goes when the field is changed, and with the next submit, since the resolver then judges everything anew.
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
