const CONTROLS = "input, select, textarea, button";

/** Moves the focus to the first field in error, in the order of the page, and brings it into view. */
export function focusFirstInvalid(form: HTMLElement): void {
  const [field] = form.querySelectorAll<HTMLElement>('[aria-invalid="true"]');
  if (!field) return;
  const control = field.matches(CONTROLS) ? field : field.querySelector<HTMLElement>(CONTROLS);
  control?.focus({ preventScroll: true });
  field.scrollIntoView({ block: "center" });
}
