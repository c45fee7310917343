import { Failure } from "../../status";

/** Burst in seconds of the rate: a screen sends a dozen requests, and then none. */
const BURST_S = 10;
/** Maximum callers to track, about 2 MB; evicts the least recently active. */
const MOST_CALLERS = 10_000;

interface Bucket {
  readonly tokens: number;
  /** Milliseconds, from `now`. */
  readonly at: number;
}

export interface RateLimit {
  /** Takes one token from the caller's bucket; throws RESOURCE_EXHAUSTED if it is empty. */
  take(caller: string): void;
  /** Throws the same if the bucket is empty, but takes nothing. */
  look(caller: string): void;
}

/**
 * A token bucket per caller, in this process only. `rate` is requests per second, zero for no limit; `now` returns
 * milliseconds. Refused requests are free, so that a caller who waits as told gets through.
 */
export function createRateLimit(rate: number, now: () => number = () => performance.now()): RateLimit {
  if (rate === 0) return { take: () => {}, look: () => {} };
  const full = Math.max(1, rate * BURST_S);
  const buckets = new Map<string, Bucket>();
  function left(caller: string, at: number): number {
    const known = buckets.get(caller);
    const tokens = known ? Math.min(full, known.tokens + ((at - known.at) / 1000) * rate) : full;
    if (tokens < 1) throw exhausted((1 - tokens) / rate);
    return tokens;
  }
  return {
    look: (caller) => void left(caller, now()),
    take(caller) {
      const at = now();
      const tokens = left(caller, at);
      // Delete and set to move the entry to the end: the first one is the least recently active.
      buckets.delete(caller);
      buckets.set(caller, { tokens: tokens - 1, at });
      forgetFirst(buckets, MOST_CALLERS);
    },
  };
}

/** Tokens valid on their last request bypass the address limit: guessing must not lock out others at that address. */
export function createKnownTokens() {
  const known = new Set<string>();
  return {
    has: (token: string): boolean => known.has(token),
    delete: (token: string): void => void known.delete(token),
    add(token: string): void {
      known.delete(token);
      known.add(token);
      forgetFirst(known, MOST_CALLERS);
    },
  };
}

/** Maps and sets iterate in insertion order. */
function forgetFirst(kept: Map<string, unknown> | Set<string>, most: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= most) break;
    kept.delete(key);
  }
}

const exhausted = (seconds: number): Failure => {
  const wait = Math.ceil(seconds * 1000) / 1000;
  return new Failure("RESOURCE_EXHAUSTED", "Resource exhausted: too many requests, try again later", [], {
    retryAfter: wait,
  });
};
