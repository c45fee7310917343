import { get, type FieldValues } from "react-hook-form";

import { pathsBetween } from "./dirty-paths";
import { sameValue } from "platform-contract/values";
import { labelsOf, type FieldLabel } from "./labels";
import type { ResourceForm } from "./use-resource-form";

interface Named {
  readonly path: string;
  readonly label: string;
  readonly options: FieldLabel["options"];
  /** Its values must not be shown. */
  readonly secret: boolean;
}

export interface Difference extends Named {
  readonly before: unknown;
  readonly after: unknown;
}

/** A field that another user, this user or both changed, to different values. */
export interface Conflict extends Named {
  readonly opened: unknown;
  readonly theirs: unknown;
  readonly yours: unknown;
  /** True if this user changed it. */
  readonly touched: boolean;
}

type Form<V extends FieldValues, O> = ResourceForm<V, O>;

const covers = (outer: string, inner: string): boolean => inner === outer || inner.startsWith(`${outer}.`);

const wordsOf = (path: string): string => {
  const words = (path.split(".").at(-1) ?? path).replaceAll("_", " ").replaceAll(/[A-Z]/g, " $&");
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
};

/** The field on screen that shows a path; empty if no field does, so the user cannot have changed it. */
function named<V extends FieldValues, O>({ control, settings }: Form<V, O>, path: string): Named[] {
  const labels = labelsOf(control);
  const names = [...labels.keys()];
  const field = labels.get(path) ?? labels.get(names.find((name) => covers(name, path)) ?? "");
  if (!field && !names.some((name) => covers(path, name))) return [];
  const { label, options } = field ?? { label: wordsOf(path), options: undefined };
  return [{ path, label, options, secret: settings.secret.some((at) => covers(at, path)) }];
}

/** What a save would change, field by field. */
export function differencesOf<V extends FieldValues, O>(form: Form<V, O>): Difference[] {
  const [before, after] = [form.control._defaultValues, form.getValues()];
  return pathsBetween(form, before, after)
    .flatMap((path) => named(form, path))
    .map((field) => ({ ...field, before: get(before, field.path), after: get(after, field.path) }));
}

/** What another user saved since the form was opened, next to what this user typed. */
export function conflictsOf<V extends FieldValues, O>(form: Form<V, O>, theirs: object): Conflict[] {
  const [opened, yours] = [form.control._defaultValues, form.getValues()];
  const touched = new Set(pathsBetween(form, opened, yours));
  return [...new Set([...touched, ...pathsBetween(form, opened, theirs)])]
    .flatMap((path) => named(form, path))
    .map((field) => ({
      ...field,
      opened: get(opened, field.path),
      theirs: get(theirs, field.path),
      yours: get(yours, field.path),
      touched: touched.has(field.path),
    }))
    .filter((each) => !sameValue(each.theirs, each.yours));
}
