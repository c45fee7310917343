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
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(fields)) {
    let value = fields[key];
    if (isFields(value)) {
      const path = at === "" ? key : `${at}.${key}`;
      if (!isMap(path)) value = withoutUnset(value, isMap, path);
    }
    if (isUnset(value)) continue;
    // Keys come from callers: an assignment to this one would replace the prototype.
    if (key === "__proto__")
      Object.defineProperty(kept, key, { value, enumerable: true, writable: true, configurable: true });
    else kept[key] = value;
  }
  return kept;
}
