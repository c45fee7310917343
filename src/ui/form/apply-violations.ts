import type { FieldValues } from "react-hook-form";

import type { FieldViolation } from "platform-contract/status";

import { placeProblems } from "./problems";
import { shownNames, type ResourceForm } from "./use-resource-form";
import { untyped } from "./untyped";

/**
 * Shows a server's field violations under their fields, and returns those that no field shows, for the form's alert.
 * Sets errors only on mounted fields: on any other path, an error could neither be seen nor cleared. It is cleared
 * when the field changes, and on the next submit, when the resolver validates everything again.
 */
export function applyViolations<V extends FieldValues, O>(
  form: ResourceForm<V, O>,
  violations: readonly FieldViolation[],
): FieldViolation[] {
  const { fieldOf } = form.settings;
  const values = form.getValues();
  const own = violations.map((each) => ({ ...each, field: fieldOf(each.field, values) }));
  const { placed, unmatched } = placeProblems(own, shownNames(form));
  for (const [name, message] of placed) {
    untyped(form).setError(name, { type: "server", message });
  }
  return unmatched;
}

const INVALID = '[aria-invalid="true"]';
const CONTROLS = "input, select, textarea, button";

/**
 * Opens every collapsed part with an error, and moves the focus to the first invalid field that is enabled, in page
 * order; to the form's alert if there is none.
 */
export function focusFirstInvalid(form: HTMLElement): void {
  for (const part of form.querySelectorAll("details")) if (part.querySelector(INVALID)) part.open = true;
  const controls = [...form.querySelectorAll<HTMLElement>(INVALID)].map((field) =>
    field.matches(CONTROLS) ? field : field.querySelector<HTMLElement>(CONTROLS),
  );
  const first =
    controls.find((control) => control?.matches(":enabled")) ??
    form.querySelector<HTMLElement>('[role="alert"]');
  first?.focus({ preventScroll: true });
  first?.scrollIntoView({ block: "center" });
}
