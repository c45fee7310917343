import { createHash } from "node:crypto";

/** Tokens that one memory keeps; the one that was remembered first is forgotten first. */
const KEPT = 2_000;

/**
 * Remembers what was found out about a token, good or bad, as long as `version` stays the same. Requests that come with
 * one token at once wait for one answer; a failure is not kept.
 */
export function rememberByToken<T>(): (
  bearer: string,
  version: unknown,
  find: () => Promise<T>,
) => Promise<T> {
  const known = new Map<string, { version: unknown; found: Promise<T> }>();
  return (bearer, version, find) => {
    const key = createHash("sha256").update(bearer).digest("base64");
    const before = known.get(key);
    if (before && before.version === version) return before.found;
    const entry = { version, found: find() };
    known.delete(key);
    known.set(key, entry);
    for (const oldest of known.keys()) {
      if (known.size <= KEPT) break;
      known.delete(oldest);
    }
    entry.found.catch(() => known.get(key) === entry && known.delete(key));
    return entry.found;
  };
}
