import { camelCase, snakeCase } from "~/contract/aip";

/**
 * Every spelling that callers may use for a key, to the one that the contract uses: the gateway takes snake_case and
 * camelCase alike, in bodies (contract 0.2) and in queries (contract 0.4, C6 to C8).
 */
export function spellings(keys: readonly string[]): ReadonlyMap<string, string> {
  const aliases = keys.flatMap((key): [string, string][] => [
    [camelCase(key), key],
    [snakeCase(key), key],
  ]);
  // The keys themselves come last: an alias never takes the place of another key's own name.
  return new Map([...aliases, ...keys.map((key): [string, string] => [key, key])]);
}
