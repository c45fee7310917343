import { isObject } from "platform-contract/values";

/** Placeholder for a secret in a displayed request. */
export const SECRET = "<secret>";

/** Returns a body with every secret replaced. `paths`: dotted, as in `Behavior`. */
export const withoutSecrets = <T>(body: T, paths: readonly string[]): T =>
  paths.reduce((shown, path) => hide(shown, path.split(".")) as T, body);

function hide(value: unknown, [key = "", ...rest]: readonly string[]): unknown {
  if (!isObject(value) || !(key in value)) return value;
  const inner = value[key];
  return { ...value, [key]: rest.length > 0 ? hide(inner, rest) : inner && SECRET };
}
