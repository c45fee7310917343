import { createHash } from "node:crypto";

/** Maximum cached tokens; evicts the oldest entry. */
const KEPT = 2_000;

/**
 * Caches a result per token, positive or negative, while `version` stays the same. Concurrent requests with the same
 * token share one promise. Rejections are not cached.
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
