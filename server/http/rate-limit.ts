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

/** Takes one request off what `caller` has left; throws RESOURCE_EXHAUSTED when nothing is. */
export type RateLimit = (caller: string) => void;

/**
 * A token bucket for each caller, in this process alone. `rate` is requests per second, zero for no limit; `now` in
 * milliseconds. A request that is refused costs nothing, so that whoever waits as told gets in.
 */
export function createRateLimit(rate: number, now: () => number = () => performance.now()): RateLimit {
  if (rate === 0) return () => {};
  const full = Math.max(1, rate * BURST_S);
  const buckets = new Map<string, Bucket>();
  return (caller) => {
    const at = now();
    const known = buckets.get(caller);
    const tokens = known ? Math.min(full, known.tokens + ((at - known.at) / 1000) * rate) : full;
    if (tokens < 1) throw exhausted((1 - tokens) / rate);
    // Written anew, it moves to the end: the first entry is the one that was quiet for longest.
    buckets.delete(caller);
    buckets.set(caller, { tokens: tokens - 1, at });
    for (const quiet of buckets.keys()) {
      if (buckets.size <= MOST_CALLERS) break;
      buckets.delete(quiet);
    }
  };
}

const exhausted = (seconds: number): Failure => {
  const wait = Math.ceil(seconds * 1000) / 1000;
  return new Failure("RESOURCE_EXHAUSTED", "Resource exhausted: too many requests, come again later", [], {
    retryAfter: wait,
  });
};
