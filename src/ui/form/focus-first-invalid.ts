const INVALID = '[aria-invalid="true"]';
const CONTROLS = "input, select, textarea, button";

/**
 * Unfolds every part that holds an error and moves the focus to the first field in error that can be changed, in the order
 * of the page; to the form's alert where there is none.
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
