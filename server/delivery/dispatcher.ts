import type { Log } from "../log";
import { now } from "../store/clock";
import type { Database } from "../store/database";
import { endDelivery, endQueues, holdDeliveries, putOff, readQueues, type Held, type Queue } from "./queues";
import type { Send } from "./send";
import { SinkHealth } from "./sink-health";

/** All in milliseconds. */
export const TIMES = {
  /** How long a process owns a delivery that it claimed: longer than a request can take. */
  lease: 60_000,
  /**
   * How often to look for deliveries that other processes stored or left behind; the embedded database has no others.
   */
  look: { postgres: 1_000, embedded: 60_000 },
  /** The first delay after a failure, which doubles with each attempt, and the longest. */
  first: 1_000,
  longest: 3_600_000,
  /** How long to retry an event. */
  giveUp: 24 * 3_600_000,
  /** How long stop() waits for requests in flight. */
  stop: 2_000,
};

export interface Dispatcher {
  /** Call when there is something to deliver. */
  wake(): void;
  /** Starts no more deliveries; those in flight get a moment to finish. */
  stop(): Promise<void>;
}

/**
 * Delivers pending events at least once, in no particular order. Processes that share a database share the work. Failed
 * deliveries are retried with backoff and jitter, for a day.
 */
export function startDispatcher({
  database,
  send,
  log,
  times = TIMES,
}: {
  readonly database: Database;
  readonly send: Send;
  readonly log: Log;
  readonly times?: typeof TIMES;
}): Dispatcher {
  const health = new SinkHealth();
  const running = new Set<Promise<void>>();
  /** No more deliveries start. */
  let stopped = false;
  /** The database may be closed. */
  let closed = false;
  let round: Promise<void> | undefined;
  let again = false;
  let timer: NodeJS.Timeout | undefined;
  const look = times.look[database.kind];

  const delayOf = (attempts: number): number =>
    Math.min(times.first * 2 ** Math.min(attempts - 1, 30), times.longest) * (0.5 + Math.random() / 2);

  async function settle(held: Held, sink: string, error: unknown): Promise<void> {
    if (error === undefined) return endDelivery(database, held);
    const at = now();
    if (at.getTime() - held.since.getTime() < times.giveUp)
      return putOff(database, held, new Date(at.getTime() + delayOf(held.attempts)));
    const { subscription, id, attempts } = held;
    log.warn({ subscription, event: id, attempts, host: hostOf(sink), err: error }, "gave up on an event");
    return endDelivery(database, held);
  }

  async function deliver(held: Held, { sink, group }: { sink: string; group: string }): Promise<void> {
    const { subscription, event } = held;
    const release = health.take(subscription);
    const error = await send({ event, sink, group }).then(
      () => undefined,
      (failure: unknown) => failure ?? new Error("failed"),
    );
    const turn = release(error === undefined, performance.now());
    if (turn === "fails")
      log.warn({ subscription, host: hostOf(sink), err: error }, "an event sink is failing");
    else if (turn === "works") log.info({ subscription, host: hostOf(sink) }, "an event sink works again");
    // A result that cannot be stored is dropped: the lease expires, and the event is sent again.
    if (!closed) await settle(held, sink, error).catch(() => {});
  }

  /** Claims as many deliveries as there is room for and sends them; returns the milliseconds until the next run. */
  async function work(): Promise<number> {
    const queues = await readQueues(database);
    health.keep(new Set(queues.map(({ uid }) => uid)));
    const gone = queues.filter(({ sink }) => sink === null);
    if (gone.length > 0)
      await endQueues(
        database,
        gone.map(({ uid }) => uid),
      );
    const live = queues.filter(
      (queue): queue is Queue & { sink: string; group: string } => queue.sink !== null,
    );
    const at = now();
    const time = performance.now();
    const due = live.filter((queue) => queue.due <= at).map(({ uid }) => uid);
    const rooms = health.rooms(due, time);
    const held = rooms.size === 0 ? [] : await holdDeliveries(database, rooms, at, times.lease);
    const byUid = new Map(live.map((queue) => [queue.uid, queue]));
    for (const delivery of held) {
      const queue = byUid.get(delivery.subscription);
      if (!queue) continue;
      const one = deliver(delivery, queue).finally(() => {
        running.delete(one);
        wake();
      });
      running.add(one);
    }
    const next = live.map((queue) =>
      Math.max(queue.due.getTime() - at.getTime(), health.restsUntil(queue.uid) - time, 0),
    );
    // Queues without room are checked again when one of their deliveries ends.
    return Math.min(look, ...next.filter((wait) => wait > 0));
  }

  function wake(): void {
    if (stopped) return;
    if (round) {
      again = true;
      return;
    }
    clearTimeout(timer);
    again = false;
    round = work()
      // Ignored: other queries report that the database is not available.
      .catch(() => look)
      .then((wait) => {
        round = undefined;
        if (stopped) return;
        if (again) wake();
        else timer = setTimeout(wake, wait).unref();
      });
  }

  wake();
  return {
    wake,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await round;
      const patience = new Promise((resolve) => setTimeout(resolve, times.stop).unref());
      await Promise.race([Promise.allSettled(running), patience]);
      closed = true;
    },
  };
}

/** The part of a sink that can be logged: its path can be a secret. */
const hostOf = (sink: string): string => (URL.canParse(sink) ? new URL(sink).host : "");
