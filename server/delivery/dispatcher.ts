import type { Log } from "../log";
import { now } from "../store/clock";
import type { Database } from "../store/database";
import { endDelivery, endQueues, holdDeliveries, putOff, readQueues, type Held, type Queue } from "./queues";
import type { Send } from "./send";
import { SinkHealth } from "./sink-health";

/** Milliseconds, all of them. */
export const TIMES = {
  /** How long a process has a delivery to itself: longer than a request may take. */
  lease: 60_000,
  /** How often to look for what other processes have stored, or left behind; there are none beside the embedded database. */
  look: { postgres: 1_000, embedded: 60_000 },
  /** What a delivery that failed waits for at first, doubled with each attempt, and at most. */
  first: 1_000,
  longest: 3_600_000,
  /** How long an event is tried. */
  giveUp: 24 * 3_600_000,
  /** What is on its way when the service stops may take so much longer. */
  stop: 2_000,
};

export interface Dispatcher {
  /** There is something to deliver. */
  wake(): void;
  /** Begins nothing more; what is on its way may end. */
  stop(): Promise<void>;
}

/**
 * Delivers what waits, at least once, in no particular order. Processes that share a database share the work. What fails is
 * tried again after a growing and uneven wait, for a day.
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
  /** Nothing more is begun. */
  let stopped = false;
  /** The database may be gone. */
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
    log.warn({ subscription, event: id, attempts, host: hostOf(sink), err: error }, "an event was given up");
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
      log.warn({ subscription, host: hostOf(sink), err: error }, "a sink of events fails");
    else if (turn === "works") log.info({ subscription, host: hostOf(sink) }, "a sink of events works again");
    // A result that cannot be kept is forgotten: the lease ends, and it is sent once more.
    if (!closed) await settle(held, sink, error).catch(() => {});
  }

  /** Holds what there is room for and sends it; answers in how many milliseconds to look again. */
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
    // Those without room are looked at when one of theirs ends.
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
      // The database does not answer: whoever asks it for something else is told.
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

/** Of a sink what may stand in a log: its path can be a secret. */
const hostOf = (sink: string): string => (URL.canParse(sink) ? new URL(sink).host : "");
