import { Failure } from "./status";

export interface Share {
  /** Maximum running per caller. */
  readonly running: number;
  /** Maximum queued per caller; further requests are refused. */
  readonly waiting: number;
  /** Maximum responses per caller that are being produced or sent: each is in memory until the client has read it. */
  readonly unsent: number;
}

interface Lane {
  running: number;
  unsent: number;
  /** True if it has had a turn since it was last empty. */
  served: boolean;
  resting: boolean;
  /** In order of arrival. */
  readonly waiting: Set<() => void>;
}

/** Seconds, by which most of the current queue is done. */
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

/** Milliseconds for which a caller counts as active after a turn. */
const PRESENT_MS = 1_000;

/** More waiting requests than a screen of the console sends, and how many times as long as a turn their caller then rests. */
const CROWD = 12;
const CROWD_RESTS = 4;

/** Places that are taken now, of all callers together. */
export interface Places {
  readonly running: number;
  readonly waiting: number;
  readonly unsent: number;
}

/** What turns need of an AbortSignal. */
export interface Over {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void, options: { readonly once: true }): void;
}

export interface Turns {
  /** Runs `work` when it is the caller's turn. `over` aborts when the response has been sent or the client is gone. */
  <T>(caller: string, over: Over, work: () => Promise<T>): Promise<T>;
  places(): Places;
}

/**
 * A queue per caller. At most `atOnce` run in total, and callers are served round-robin, starting with those that have
 * no other request in flight, so that one caller's hundred requests delay other callers by only one. Throws
 * RESOURCE_EXHAUSTED if too many requests of the caller are queued, CANCELLED if the client left before the work began.
 */
export function createTurns(options: {
  atOnce: number;
  share: Share;
  /**
   * When a caller pauses after a turn for as long as it took: while other callers are active ("among others"), or while
   * more of its own are waiting ("crowded"). Where nothing can interrupt what runs, these pauses are all that keeps the
   * others' wait short. A caller with a crowd of requests pauses among others in any case, for longer.
   */
  rests?: "among others" | "crowded" | undefined;
  /** How many times as many places as it has a caller leaves free when it takes one more, for those who come next. */
  keepsFree?: number;
}): Turns {
  const { atOnce, share, rests, keepsFree = 0 } = options;
  /** Callers with requests in flight, least recently served first. */
  const lanes = new Map<string, Lane>();
  let running = 0;
  let latest: string | undefined;
  /** Last time that a turn went to a different caller than the one before. */
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
    lane.waiting.size > 0 &&
    lane.running < share.running &&
    (keepsFree === 0 || lane.running * keepsFree < atOnce - running) &&
    lane.unsent < share.unsent &&
    !lane.resting;

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
    if (latest !== undefined && caller !== latest) changedAt = performance.now();
    latest = caller;
    begin();
    goOn();
  }

  function forget(caller: string, lane: Lane): void {
    const empty = lane.running === 0 && lane.unsent === 0 && lane.waiting.size === 0;
    if (empty && !lane.resting) lanes.delete(caller);
  }

  /** How many times as long as its turn a caller rests that has so many waiting. */
  function restsAfter(waiting: number, amongOthers: boolean): number {
    if (rests === "crowded") return waiting > 0 ? 1 : 0;
    if (!amongOthers) return 0;
    return waiting >= CROWD ? CROWD_RESTS : Number(rests === "among others");
  }

  function rest(caller: string, lane: Lane, begun: number): void {
    const now = performance.now();
    const times = restsAfter(lane.waiting.size, now - changedAt <= PRESENT_MS);
    if (times === 0) return;
    lane.resting = true;
    setTimeout(
      () => {
        lane.resting = false;
        forget(caller, lane);
        goOn();
      },
      (now - begun) * times,
    );
  }

  const places = (): Places => {
    const taken = { running: 0, waiting: 0, unsent: 0 };
    for (const lane of lanes.values()) {
      taken.running += lane.running;
      taken.waiting += lane.waiting.size;
      taken.unsent += lane.unsent;
    }
    return taken;
  };

  const take = <T>(caller: string, over: Over, work: () => Promise<T>): Promise<T> =>
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
        // In a promise, so that a synchronous throw also releases the turn.
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

  return Object.assign(take, { places });
}

/** Runs work that no request waits for, when it is the turn of an organization (or another share of the work). */
export type BackgroundTurns = <T>(share: string, work: () => Promise<T>) => Promise<T>;

/**
 * Shares `atOnce` places among organizations: each leaves `keepsFree` times as many free as it has when it takes another,
 * so that one that comes later finds a place even if the work of all others hangs. Throws RESOURCE_EXHAUSTED if too much
 * of one organization is queued.
 */
export function createBackgroundTurns({
  atOnce,
  waiting,
  keepsFree = 1,
}: {
  readonly atOnce: number;
  readonly waiting: number;
  readonly keepsFree?: number;
}): BackgroundTurns {
  const share = { running: Infinity, waiting, unsent: Infinity };
  const turns = createTurns({ atOnce, share, keepsFree });
  return async (name, work) => {
    const over = new AbortController();
    try {
      return await turns(name, over.signal, work);
    } finally {
      over.abort();
    }
  };
}

/** Parallel statements of background work. */
const STATEMENTS = { postgres: 4, embedded: 1 };

/** The turns of statements that no request waits for; each process has one of these, for all such work. */
export const createStatementTurns = ({ kind }: { readonly kind: keyof typeof STATEMENTS }): BackgroundTurns =>
  createBackgroundTurns({ atOnce: STATEMENTS[kind], waiting: Infinity });
