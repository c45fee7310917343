/** How a field on the screen speaks of itself. */
export interface FieldLabel {
  readonly label: string;
  /** What its values are called, where it is a choice. */
  readonly options: readonly { readonly value: string; readonly label: string }[] | undefined;
}

const labels = new WeakMap<object, Map<string, FieldLabel>>();

/** The fields of a form that are on the screen, by name; `control`: react-hook-form's, which is the same all along. */
export function labelsOf(control: object): Map<string, FieldLabel> {
  const known = labels.get(control);
  if (known) return known;
  const made = new Map<string, FieldLabel>();
  labels.set(control, made);
  return made;
}
