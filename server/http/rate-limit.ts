import { Failure } from "../status";

/** A caller may use ten seconds' worth at once: a screen asks for a dozen things, and then rests. */
const BURST_S = 10;
/** So many callers are remembered, about 2 MB; the one that was quiet for longest is forgotten first. */
const MOST_CALLERS = 10_000;

interface Bucket {
  readonly tokens: number;
  /** Milliseconds by `now`. */
  readonly at: number;
}

export interface RateLimit {
  /** Takes one request off what `caller` has left; throws RESOURCE_EXHAUSTED when nothing is. */
  take(caller: string): void;
  /** Throws the same where nothing is left, and takes nothing. */
  look(caller: string): void;
}

/**
 * A token bucket for each caller, in this process alone. `rate` is requests per second, zero for no limit; `now` in
 * milliseconds. A request that is refused costs nothing, so that whoever waits as told gets in.
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
      // Written anew, it moves to the end: the first entry is the one that was quiet for longest.
      buckets.delete(caller);
      buckets.set(caller, { tokens: tokens - 1, at });
      forgetFirst(buckets, MOST_CALLERS);
    },
  };
}

/** Tokens that were good at their last request, so that whoever guesses behind an office's address keeps nobody out. */
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

/** Maps and sets keep the order in which their entries came. */
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
