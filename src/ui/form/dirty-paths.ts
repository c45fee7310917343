import type { FieldValues, UseFormReturn } from "react-hook-form";

type Values = Readonly<Record<string, unknown>>;

const isPlain = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** The wire format omits empty values (contract 0.2), so absent, null, "", [] and {} are the same value. */
function isBlank(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isPlain(value) && Object.values(value).every(isBlank);
}

export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || (isBlank(a) && isBlank(b))) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
  }
  if (!isPlain(a) || !isPlain(b)) return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => sameValue(a[key], b[key]));
}

const keysOf = (map: Values): string[] => Object.keys(map).filter((key) => map[key] !== undefined);

/** The same for a map, where an entry counts even if its value is empty: `{ DEBUG: "" }` is not `{}`. */
export function sameMap(a: unknown, b: unknown): boolean {
  const [one, other] = [a ?? {}, b ?? {}];
  if (!isPlain(one) || !isPlain(other)) return sameValue(a, b);
  const keys = keysOf(one);
  return (
    keys.length === keysOf(other).length &&
    keys.every((key) => other[key] !== undefined && sameValue(one[key], other[key]))
  );
}

/**
 * Leaf paths whose values differ, for an update mask: walks objects (`claimMatch.subject`); lists are replaced as a
 * whole (contract 0.8), and so is every path in `leaves` (the names of map fields).
 */
export function changedPaths(
  before: Values,
  after: Values,
  leaves: ReadonlySet<string> = new Set(),
): string[] {
  const walk = (a: unknown, b: unknown, path: string): string[] => {
    if (path !== "" && leaves.has(path)) return sameMap(a, b) ? [] : [path];
    const walkable = (isPlain(a) || isBlank(a)) && (isPlain(b) || isBlank(b)) && (isPlain(a) || isPlain(b));
    if (!walkable) return sameValue(a, b) ? [] : [path];
    const [left, right] = [a, b].map((value) => (isPlain(value) ? value : {})) as [Values, Values];
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
): string[] => changedPaths(before as Values, after as Values, new Set(control._names.mount));

/** What the user changed since the form was filled, as leaf paths for `updateMask`. */
export function dirtyPaths<V extends FieldValues, C, O>(form: UseFormReturn<V, C, O>): string[] {
  return pathsBetween(form, form.control._defaultValues ?? {}, form.getValues());
}
