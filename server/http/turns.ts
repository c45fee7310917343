import { Failure } from "../status";

export interface Share {
  /** Of one caller at once. */
  readonly running: number;
  /** Of one caller, behind those; one more is refused. */
  readonly waiting: number;
  /** Answers of one caller that are made or being sent at once: each is held in memory until it is read. */
  readonly unsent: number;
}

interface Lane {
  running: number;
  unsent: number;
  /** Whether it has had a turn since it was last empty. */
  served: boolean;
  resting: boolean;
  /** In the order in which they came. */
  readonly waiting: Set<() => void>;
}

/** Seconds: by then what waits now has mostly had its turn. */
const RETRY_AFTER = 1;

const tooMany = (waiting: number): Failure =>
  new Failure(
    "RESOURCE_EXHAUSTED",
    `Resource exhausted: ${waiting} of your requests are already waiting`,
    [],
    {
      retryAfter: RETRY_AFTER,
      metadata: { limit: String(waiting) },
    },
  );

const cancelled = (): Failure => new Failure("CANCELLED", "Cancelled: the client closed the connection");

/** Milliseconds for which a caller counts as one who is there, after a turn. */
const PRESENT_MS = 1_000;

/** Runs `work` when it is the caller's turn. `over` is aborted once the answer is sent or nobody reads it any more. */
export type Turns = <T>(caller: string, over: AbortSignal, work: () => Promise<T>) => Promise<T>;

/**
 * A queue for each caller: `atOnce` run in all, and callers are served in turn, those with nothing else on their way
 * first, so that somebody's hundred requests delay everybody else by one of them. Throws RESOURCE_EXHAUSTED where too
 * many of the caller wait, CANCELLED for what nobody waits for any more: its work is never begun.
 */
export function createTurns(options: {
  atOnce: number;
  share: Share;
  /**
   * Whether a caller rests after a turn for as long as it took, while others are there too: where one thing runs at
   * once nothing interrupts it, and all that keeps the others' wait short is that it is not always running.
   */
  rests?: boolean;
}): Turns {
  const { atOnce, share, rests = false } = options;
  /** Those who have something on its way; whoever had a turn last comes last. */
  const lanes = new Map<string, Lane>();
  let running = 0;
  let latest: string | undefined;
  /** When somebody else than the caller before had a turn. */
  let changedAt = -Infinity;

  function laneOf(caller: string): Lane {
    const lane = lanes.get(caller) ?? {
      running: 0,
      unsent: 0,
      served: false,
      resting: false,
      waiting: new Set(),
    };
    lanes.set(caller, lane);
    return lane;
  }

  const isReady = (lane: Lane): boolean =>
    lane.waiting.size > 0 && lane.running < share.running && lane.unsent < share.unsent && !lane.resting;

  function nextLane(): [string, Lane] | undefined {
    let first: [string, Lane] | undefined;
    for (const entry of lanes) {
      if (!isReady(entry[1])) continue;
      if (!entry[1].served) return entry;
      first ??= entry;
    }
    return first;
  }

  function goOn(): void {
    if (running >= atOnce) return;
    const [caller, lane] = nextLane() ?? [];
    const [begin] = lane?.waiting ?? [];
    if (caller === undefined || !lane || !begin) return;
    lanes.delete(caller);
    lanes.set(caller, lane);
    lane.served = true;
    if (caller !== latest) changedAt = performance.now();
    latest = caller;
    begin();
    goOn();
  }

  function forget(caller: string, lane: Lane): void {
    const empty = lane.running === 0 && lane.unsent === 0 && lane.waiting.size === 0;
    if (empty && !lane.resting) lanes.delete(caller);
  }

  function rest(caller: string, lane: Lane, begun: number): void {
    const now = performance.now();
    if (!rests || now - changedAt > PRESENT_MS) return;
    lane.resting = true;
    setTimeout(() => {
      lane.resting = false;
      forget(caller, lane);
      goOn();
    }, now - begun);
  }

  return (caller, over, work) =>
    new Promise((resolve, reject) => {
      if (over.aborted) return reject(cancelled());
      const lane = laneOf(caller);
      if (lane.waiting.size >= share.waiting) return reject(tooMany(share.waiting));
      let begun = false;
      const end = (): void => {
        if (begun) lane.unsent -= 1;
        else {
          lane.waiting.delete(begin);
          reject(cancelled());
        }
        forget(caller, lane);
        goOn();
      };
      const begin = (): void => {
        begun = true;
        lane.waiting.delete(begin);
        lane.running += 1;
        lane.unsent += 1;
        running += 1;
        const begunAt = performance.now();
        // Within a promise, so that what throws at once gives its turn back as well.
        void Promise.resolve()
          .then(work)
          .then(resolve, reject)
          .finally(() => {
            running -= 1;
            lane.running -= 1;
            rest(caller, lane, begunAt);
            forget(caller, lane);
            goOn();
          });
      };
      over.addEventListener("abort", end, { once: true });
      lane.waiting.add(begin);
      goOn();
    });
}
