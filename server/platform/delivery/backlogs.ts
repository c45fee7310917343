import type { RunStep } from "../../background";
import type { Log } from "../../log";
import { now } from "../store/clock";
import type { Database } from "../store/database";
import type { BackgroundTurns } from "../../turns";
import { rootOf } from "platform-contract/aip";
import type { Stored } from "./dispatcher";
import { countPending, endFull, storeDropped, storeFull, type Sink } from "./queues";

/** How many events a process stores for a subscription before it counts the pending ones. */
const COUNT_EVERY = 100;
/** Milliseconds between two counts of a full queue that shrinks. */
const COUNT_AFTER = 1_000;
/** Share of the limit below which events are kept again. */
const ENOUGH = 0.9;
/** Subscriptions whose events are tallied; the least recent ones are forgotten. */
const TALLIED = 10_000;

/**
 * Bounds the pending events of each subscription. They are counted now and then, since counting at every write would cost
 * more than the write: a queue can exceed `most` by what is stored between two counts.
 */
export function createBacklogs({
  database,
  log,
  run,
  most,
  statements,
}: {
  readonly database: Database;
  readonly log: Log;
  readonly run: RunStep;
  readonly most: number;
  readonly statements: BackgroundTurns;
}) {
  /** Events stored since the last count. */
  const tally = new Map<string, number>();
  const dropped = new Map<string, number>();
  const counting = new Set<Promise<unknown>>();
  /** When a full queue was counted. */
  const counted = new Map<string, number>();

  function remember(of: Map<string, number>, uid: string, value: number): void {
    of.delete(uid);
    of.set(uid, value);
    for (const oldest of of.keys()) {
      if (of.size <= TALLIED) break;
      of.delete(oldest);
    }
  }

  async function count({ uid, full }: Sink): Promise<void> {
    if (full || (await countPending(database, uid, most)) < most) return;
    if (await storeFull(database, uid, now()))
      log.warn({ subscription: uid, pending: most }, "too many events are pending: new ones are dropped");
  }

  async function flush(): Promise<void> {
    if (dropped.size === 0) return;
    const some = new Map(dropped);
    dropped.clear();
    await storeDropped(database, some);
  }

  return {
    /** Call after a transaction. */
    note(stored: readonly Stored[]): void {
      for (const { sink, stored: more, dropped: lost } of stored) {
        const { uid } = sink;
        if (lost > 0) remember(dropped, uid, (dropped.get(uid) ?? 0) + lost);
        const since = (tally.get(uid) ?? 0) + more;
        remember(tally, uid, since < COUNT_EVERY ? since : 0);
        if (since < COUNT_EVERY) continue;
        // A failure only delays the next count.
        const done = run("delivery-counts", () => statements(rootOf(uid), () => count(sink)));
        counting.add(done);
        void done.finally(() => counting.delete(done));
      }
    },
    /** Call when events have been sent; returns what is known of the sink then. */
    async served(sink: Sink): Promise<Sink> {
      const { uid } = sink;
      if (!sink.full || performance.now() - (counted.get(uid) ?? -Infinity) < COUNT_AFTER) return sink;
      remember(counted, uid, performance.now());
      if ((await countPending(database, uid, most)) > most * ENOUGH) return sink;
      await flush();
      const lost = await endFull(database, uid);
      counted.delete(uid);
      if (lost !== undefined)
        log.info({ subscription: uid, dropped: lost }, "events of a subscription are kept again");
      return { ...sink, full: false };
    },
    /** Stores how many events were dropped. */
    flush,
    /** Resolves when nothing is being counted. */
    settled: async (): Promise<void> => void (await Promise.all(counting)),
  };
}
