type Values = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The wire omits empty values (contract 0.2): absent, "", [] and {} are the same value. */
const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (typeof value === "object" && Object.values(value).every(isBlank));

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/;

/** Strings, numbers and booleans; a time can be spelled in several ways, an int64 as a string or a number. */
function samePlain(a: unknown, b: unknown): boolean {
  if (typeof a === "string" && typeof b === "string" && TIME.test(a) && TIME.test(b))
    return Date.parse(a) === Date.parse(b);
  return String(a) === String(b);
}

/** True if two values on the wire mean the same. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (isBlank(a) || isBlank(b)) return isBlank(a) && isBlank(b);
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
  if (isObject(a) && isObject(b))
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => sameValue(a[key], b[key]));
  return typeof a !== "object" && typeof b !== "object" && samePlain(a, b);
}

/** True if `made` has everything that was requested; the service may have filled in the rest. */
export const contains = (asked: unknown, made: unknown): boolean =>
  isObject(asked) && !isBlank(asked)
    ? Object.entries(asked).every(([key, value]) => contains(value, isObject(made) ? made[key] : undefined))
    : sameValue(asked, made);

const valueAt = (record: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      record,
    );

/** True if two records are the same in the masked fields (camelCase paths); a body omits what it clears. */
export const sameAt = (a: unknown, b: unknown, mask: readonly string[]): boolean =>
  mask.every((path) => sameValue(valueAt(a, path), valueAt(b, path)));

/** True if a masked field was sent that no record returns, such as a secret. */
export const isNotReturned = (body: unknown, records: readonly unknown[], mask: readonly string[]): boolean =>
  mask.some(
    (path) => !isBlank(valueAt(body, path)) && records.every((record) => isBlank(valueAt(record, path))),
  );
