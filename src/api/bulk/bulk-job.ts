import {
  countStates,
  hasFailed,
  isOpen,
  obstacleOf,
  outcomeOf,
  putOff,
  type ItemState,
  type LedgerItem,
} from "./items";
import type { Keeper, Ledger, LedgerFacts, LedgerWork } from "./types";

type Why = Pick<LedgerItem, "reason" | "requestId">;

/** Writes at once. */
const AT_ONCE = 4;
/** Least time between two changes that are told, and between two rounds of rows taken out of the lists; ms. */
const PACE = 100;
const ROUND = 500;

/**
 * Many writes, one outcome each. Begins paused; what was on its way when the page was left (`sending`) is looked after
 * first, so that nothing is sent twice.
 */
export function createLedger(given: readonly LedgerItem[], work: LedgerWork, keeper: Keeper): Ledger {
  const listeners = new Set<() => void>();
  const items = given.map((item) =>
    item.state === "sending" ? { ...item, state: "checking" as const } : item,
  );
  const tries = new Map<number, number>();
  let queue: number[] = [];
  let running = false;
  let cancelled = false;
  let kept = true;
  let waitUntil = 0;
  let trouble: string | undefined;
  let active = 0;
  let checking = false;
  let fresh: string[] = [];
  let unrested = false;
  let telling: ReturnType<typeof setTimeout> | undefined;
  let dropping: ReturnType<typeof setTimeout> | undefined;
  let waking: ReturnType<typeof setTimeout> | undefined;
  let facts = read();

  function read(): LedgerFacts {
    const open = items.some(({ state }) => isOpen(state));
    const run = !open ? "over" : running ? "running" : "paused";
    return { run, items: items.slice(), counts: countStates(items), waitUntil, trouble, kept };
  }
  function tell(): void {
    clearTimeout(telling);
    telling = undefined;
    facts = read();
    for (const listener of listeners) listener();
  }
  const tellSoon = (): void => {
    telling ??= setTimeout(tell, PACE);
  };

  function setAll(indexes: readonly number[], state: ItemState, why: Why = {}): void {
    for (const index of indexes) {
      const { uid, name } = items[index] as LedgerItem;
      items[index] = { uid, name, state, ...why };
    }
    kept = keeper.keep(items, indexes);
    tellSoon();
  }
  const set = (index: number, state: ItemState, why?: Why): void => setAll([index], state, why);
  const indexesOf = (which: (state: ItemState) => boolean): number[] =>
    items.flatMap(({ state }, index) => (which(state) ? [index] : []));

  function drop(): void {
    clearTimeout(dropping);
    dropping = undefined;
    const uids = fresh;
    fresh = [];
    if (uids.length > 0) work.onDone(uids);
  }
  function done(index: number, state: "done" | "gone", reason?: string): void {
    set(index, state, { reason });
    unrested = true;
    fresh.push((items[index] as LedgerItem).uid);
    dropping ??= setTimeout(drop, ROUND);
  }

  /** The next one last. */
  const line = (): void => {
    const waiting = indexesOf((state) => state === "waiting");
    queue = [...waiting, ...indexesOf((state) => state === "queued")].toReversed();
  };

  /** Sends as much as may be on its way at once. */
  function pump(): void {
    if (running && !checking) {
      const wait = waitUntil - Date.now();
      clearTimeout(waking);
      if (wait > 0 && queue.length > 0) waking = setTimeout(pump, wait);
      else while (active < AT_ONCE && queue.length > 0) void send(queue.pop() as number);
    }
    if (active > 0 || checking || (running && queue.length > 0)) return;
    drop();
    if (unrested) work.onRest();
    unrested = false;
    if (queue.length === 0) running = false;
    tell();
  }

  async function send(index: number): Promise<void> {
    active += 1;
    set(index, "sending");
    try {
      const how = await work.send((items[index] as LedgerItem).uid);
      tries.delete(index);
      done(index, how);
    } catch (error) {
      missed(index, error);
    }
    active -= 1;
    pump();
  }

  function missed(index: number, error: unknown): void {
    const before = tries.get(index) ?? 0;
    const wait = putOff(error, before, Date.now());
    const outcome = outcomeOf(error);
    const obstacle = obstacleOf(error);
    if (obstacle !== undefined) {
      running = false;
      trouble = obstacle;
    }
    if (wait === undefined && (obstacle === undefined || outcome.state === "unknown"))
      return set(index, outcome.state, outcome);
    // It did not happen: it comes first when there is another chance.
    if (cancelled) return set(index, "unsent", { reason: outcome.reason });
    if (wait !== undefined) {
      tries.set(index, before + 1);
      waitUntil = Math.max(waitUntil, Date.now() + wait);
    }
    set(index, wait === undefined ? "queued" : "waiting", { reason: outcome.reason });
    queue.push(index);
  }

  async function check(indexes: readonly number[]): Promise<void> {
    const left = indexes.toReversed();
    const next = async (): Promise<void> => {
      for (let index = left.pop(); index !== undefined; index = left.pop()) {
        const { uid } = items[index] as LedgerItem;
        const found = await work.wasDone(uid).catch((error: unknown) => outcomeOf(error).reason);
        if (found === true) done(index, "done", "The page was left before the answer came.");
        else if (found === false) set(index, cancelled ? "unsent" : "queued");
        else set(index, "unknown", { reason: found ?? "Whether it happened could not be found out." });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
    checking = false;
    line();
    pump();
  }

  line();
  const doubtful = indexesOf((state) => state === "checking");
  checking = doubtful.length > 0;
  if (checking) void check(doubtful);

  return {
    get: () => facts,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    resume() {
      if (running) return;
      running = true;
      trouble = undefined;
      pump();
      tell();
    },
    pause() {
      running = false;
      clearTimeout(waking);
      // It rests at once when nothing is on its way, as while the service asks to wait.
      pump();
      tell();
    },
    cancel() {
      running = false;
      cancelled = true;
      clearTimeout(waking);
      setAll(queue, "unsent");
      queue = [];
      pump();
      tell();
    },
    retryFailed() {
      cancelled = false;
      tries.clear();
      setAll(indexesOf(hasFailed), "queued");
      line();
      running = true;
      trouble = undefined;
      pump();
      tell();
    },
    close: () => keeper.forget(),
  };
}
