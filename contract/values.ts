export type Values = Readonly<Record<string, unknown>>;

/** True for an object of JSON: not a list, not null; nor a time as the database returns it. */
export const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** The API leaves out empty values: absent, null, "", [] and {} are the same value, which is "not set". */
export const isUnset = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

/** The same at every depth: an object whose fields are all not set is not set either. */
export const isBlank = (value: unknown): boolean =>
  isUnset(value) || (isObject(value) && Object.values(value).every(isBlank));

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/;

/** Texts, numbers and booleans: a time can be spelled in several ways, an int64 as a text or a number (ProtoJSON). */
function samePlain(a: unknown, b: unknown): boolean {
  if (typeof a === "string" && typeof b === "string" && TIME.test(a) && TIME.test(b))
    return Date.parse(a) === Date.parse(b);
  return String(a) === String(b);
}

/** True if two values mean the same in this API. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (isBlank(a) || isBlank(b)) return isBlank(a) && isBlank(b);
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
  if (isObject(a) && isObject(b))
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => sameValue(a[key], b[key]));
  return typeof a !== "object" && typeof b !== "object" && samePlain(a, b);
}

const keysOf = (map: Values): string[] => Object.keys(map).filter((key) => map[key] !== undefined);

/** The same for a map, where an entry counts even if its value is empty: `{ DEBUG: "" }` is not `{}`. */
export function sameMap(a: unknown, b: unknown): boolean {
  const [one, other] = [a ?? {}, b ?? {}];
  if (!isObject(one) || !isObject(other)) return sameValue(a, b);
  const keys = keysOf(one);
  return (
    keys.length === keysOf(other).length &&
    keys.every((key) => other[key] !== undefined && sameValue(one[key], other[key]))
  );
}
