import type { FieldValues, UseFormReturn } from "react-hook-form";

import { isBlank, isObject, sameMap, sameValue, type Values } from "platform-contract/values";

/**
 * Leaf paths whose values differ, for an update mask: walks objects (`claimMatch.subject`); lists are replaced as a
 * whole (AIP-134), and so is every path in `leaves` (the names of map fields).
 */
export function changedPaths(
  before: Values,
  after: Values,
  leaves: ReadonlySet<string> = new Set(),
): string[] {
  const walk = (a: unknown, b: unknown, path: string): string[] => {
    if (path !== "" && leaves.has(path)) return sameMap(a, b) ? [] : [path];
    const walkable =
      (isObject(a) || isBlank(a)) && (isObject(b) || isBlank(b)) && (isObject(a) || isObject(b));
    if (!walkable) return sameValue(a, b) ? [] : [path];
    const [left, right] = [isObject(a) ? a : {}, isObject(b) ? b : {}];
    return [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap((key) =>
      walk(left[key], right[key], path === "" ? key : `${path}.${key}`),
    );
  };
  return walk(before, after, "");
}

/** Leaf paths in which two sets of form values differ; the value of each form field is one leaf. */
export const pathsBetween = <V extends FieldValues, C, O>(
  { control }: Pick<UseFormReturn<V, C, O>, "control">,
  before: object,
  after: object,
): string[] => changedPaths({ ...before }, { ...after }, new Set(control._names.mount));

/** What the user changed since the form was filled, as leaf paths for `updateMask`. */
export function dirtyPaths<V extends FieldValues, C, O>(form: UseFormReturn<V, C, O>): string[] {
  return pathsBetween(form, form.control._defaultValues ?? {}, form.getValues());
}
