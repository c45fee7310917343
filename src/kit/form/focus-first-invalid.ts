const CONTROLS = "input, select, textarea, button";

/** Moves the focus to the first field in error, in the order of the page, and brings it into view. */
export function focusFirstInvalid(form: HTMLElement): void {
  const [field] = form.querySelectorAll<HTMLElement>('[aria-invalid="true"]');
  if (!field) return;
  // Nothing in a folded part can take the focus.
  for (let at = field.closest("details"); at; at = at.parentElement?.closest("details") ?? null)
    at.open = true;
  const control = field.matches(CONTROLS) ? field : field.querySelector<HTMLElement>(CONTROLS);
  control?.focus({ preventScroll: true });
  field.scrollIntoView({ block: "center" });
}
