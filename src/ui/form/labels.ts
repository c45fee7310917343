/** The visible names of a field and its options. */
export interface FieldLabel {
  readonly label: string;
  /** Names of its values, if it is a choice. */
  readonly options: readonly { readonly value: string; readonly label: string }[] | undefined;
}

const labels = new WeakMap<object, Map<string, FieldLabel>>();

/** A form's fields on screen, by name; `control`: from react-hook-form, the same object for the form's lifetime. */
export function labelsOf(control: object): Map<string, FieldLabel> {
  const known = labels.get(control);
  if (known) return known;
  const made = new Map<string, FieldLabel>();
  labels.set(control, made);
  return made;
}
