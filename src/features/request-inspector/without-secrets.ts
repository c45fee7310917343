/** What stands in the place of a secret where a request is shown. */
export const SECRET = "<secret>";

/** A body with something else in the place of every secret that it has. `paths`: dotted, as in `Behavior`. */
export const withoutSecrets = <T>(body: T, paths: readonly string[]): T =>
  paths.reduce((shown, path) => hide(shown, path.split(".")) as T, body);

function hide(value: unknown, [key = "", ...rest]: readonly string[]): unknown {
  if (typeof value !== "object" || value === null || !(key in value)) return value;
  const inner = (value as Record<string, unknown>)[key];
  return { ...value, [key]: rest.length > 0 ? hide(inner, rest) : inner && SECRET };
}
