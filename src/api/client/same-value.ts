import { isBlank, isObject, sameValue } from "platform-contract/values";

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
