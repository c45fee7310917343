export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Text "", null, an empty list, an empty object: in this API the same as not set (contract 0.2). */
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (isFields(value) && Object.keys(value).length === 0);

/**
 * A message without its unset fields, at every depth: what is written in answers and what is read from requests.
 * `isMap` tells, by path, the maps: there an empty value is a value.
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
