import { camelCase, snakeCase } from "./aip";

/** Keys that are one word on the wire and two in the published sources. */
const WORDS: Readonly<Record<string, string>> = { groupname: "group_name" };

/**
 * Maps every spelling that callers can use for a key to the contract's own: the gateway accepts snake_case and
 * camelCase alike, in bodies, masks and queries.
 */
export function spellings(keys: readonly string[]): ReadonlyMap<string, string> {
  const aliases = keys.flatMap((key) => {
    const words = WORDS[key] ?? key;
    return [camelCase(words), snakeCase(words)].map((alias): [string, string] => [alias, key]);
  });
  // The keys come last, so that an alias never replaces another key's own name.
  return new Map([...aliases, ...keys.map((key): [string, string] => [key, key])]);
}

const spellingsByShape = new WeakMap<object, ReadonlyMap<string, string>>();

/** The key of a shape for a name in any spelling; undefined when the shape has no such key. */
export function keyOf(shape: object, name: string): string | undefined {
  const known = spellingsByShape.get(shape) ?? spellings(Object.keys(shape));
  spellingsByShape.set(shape, known);
  return known.get(name);
}
