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
