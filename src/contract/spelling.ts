import { camelCase, snakeCase } from "./aip";

/** Keys whose wire name is one word where the published sources write two (contract C6). */
const WORDS: Readonly<Record<string, string>> = { groupname: "group_name" };

/**
 * Every spelling that callers may use for a key, to the one that the contract uses: the gateway takes snake_case and
 * camelCase alike, in bodies (contract 0.2), masks (contract C8) and queries (contract 0.4, C7).
 */
export function spellings(keys: readonly string[]): ReadonlyMap<string, string> {
  const aliases = keys.flatMap((key) => {
    const words = WORDS[key] ?? key;
    return [camelCase(words), snakeCase(words)].map((alias): [string, string] => [alias, key]);
  });
  // The keys themselves come last: an alias never takes the place of another key's own name.
  return new Map([...aliases, ...keys.map((key): [string, string] => [key, key])]);
}

const spellingsByShape = new WeakMap<object, ReadonlyMap<string, string>>();

/** The key of a shape that a name means, in any of its spellings; undefined when there is none. */
export function keyOf(shape: object, name: string): string | undefined {
  const known = spellingsByShape.get(shape) ?? spellings(Object.keys(shape));
  spellingsByShape.set(shape, known);
  return known.get(name);
}
