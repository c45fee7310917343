import { isObject, isUnset, type Values } from "platform-contract/values";

export type Fields = Values;
export const isFields = isObject;

/**
 * Omits unset fields at every depth, for requests and responses. `isMap` returns true for the paths of maps, in which
 * empty values count.
 */
export function withoutUnset(
  fields: Fields,
  isMap: (path: string) => boolean = () => false,
  at = "",
): Fields {
  const entries: [string, unknown][] = [];
  for (const [key, given] of Object.entries(fields)) {
    let value = given;
    if (isFields(given)) {
      const path = at === "" ? key : `${at}.${key}`;
      if (!isMap(path)) value = withoutUnset(given, isMap, path);
    }
    if (!isUnset(value)) entries.push([key, value]);
  }
  return Object.fromEntries(entries);
}
