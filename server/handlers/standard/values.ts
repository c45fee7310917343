export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Empty strings, null, empty lists and empty objects mean unset in this API (contract 0.2). */
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (isFields(value) && Object.keys(value).length === 0);

/**
 * Omits unset fields at every depth, for requests and responses. `isMap` returns true for the paths of maps, in which
 * empty values count.
 */
export function withoutUnset(
  fields: Fields,
  isMap: (path: string) => boolean = () => false,
  at = "",
): Fields {
  const entries = Object.entries(fields).map(([key, value]): [string, unknown] => {
    const path = at === "" ? key : `${at}.${key}`;
    return [key, isFields(value) && !isMap(path) ? withoutUnset(value, isMap, path) : value];
  });
  return Object.fromEntries(entries.filter(([, value]) => !isEmpty(value)));
}
