import { isObject, isUnset, type Values } from "~/contract/values";

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
  const entries = Object.entries(fields).map(([key, value]): [string, unknown] => {
    const path = at === "" ? key : `${at}.${key}`;
    return [key, isFields(value) && !isMap(path) ? withoutUnset(value, isMap, path) : value];
  });
  return Object.fromEntries(entries.filter(([, value]) => !isUnset(value)));
}
