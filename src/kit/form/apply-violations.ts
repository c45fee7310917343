import { get, type FieldPath, type FieldValues } from "react-hook-form";

import type { Violation } from "../error-facts";
import { placeProblems } from "./problems";
import { shownNames, type KitForm } from "./use-kit-form";

/**
 * Puts a server's field violations under their fields and returns those that no field shows, for the form's alert.
 * An error is only set on a field that is on the screen: on any other path it could neither be seen nor cleared. It
 * goes when the value that the server refused changes or is sent again.
 */
export function applyViolations<V extends FieldValues, O>(
  form: KitForm<V, O>,
  violations: readonly Violation[],
  { aliases }: { aliases?: Readonly<Record<string, string>> } = {},
): Violation[] {
  const { placed, unmatched } = placeProblems(violations, shownNames(form), {
    ...form.kit.aliases,
    ...aliases,
  });
  for (const [name, message] of placed) {
    form.kit.serverErrors.set(name, { message, value: get(form.getValues(), name) });
    form.setError(name as FieldPath<V>, { type: "server", message });
  }
  return unmatched;
}
