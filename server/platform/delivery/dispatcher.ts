import { rootOf } from "platform-contract/aip";
import { KEPT, PENDING } from "platform-contract/events/pending";
import { parseUrl } from "platform-contract/url";

import { createSteps, type RunStep } from "../../background";
import type { Log } from "../../log";
import { now } from "../store/clock";
import type { Database } from "../store/database";
import { createBackgroundTurns, createStatementTurns, type BackgroundTurns } from "../../turns";
import { dropOldest, endDelivery, putOff, type Attempt } from "./attempts";
import { createBacklogs } from "./backlogs";
import { failureOf, type DeliveryOutcome } from "./outcome";
import {
  claimAlone,
  claimWorking,
  endQueues,
  readOrganizations,
  readQueues,
  readSink,
  storeFailure,
  storeSuccess,
  type ClaimedDelivery,
  type Position,
  type Queue,
  type Sink,
} from "./queues";
import type { Send } from "./send";

/** All in milliseconds. */
export const TIMES = {
  /** How long a process owns a delivery that it claimed: longer than a request can take. */
  lease: 60_000,
  /**
   * How often to look for deliveries that other processes stored or left behind; the embedded database has no others.
   */
  look: { postgres: 1_000, embedded: 60_000 },
  /** The shortest time between two looks. */
  between: 100,
  /** The first delay of an event after a failure, which doubles with each attempt, and the longest. */
  first: 1_000,
  longest: 3_600_000,
  /** The first rest of a failing sink, which doubles with each failure, and the longest. */
  rest: { first: 250, longest: 60_000 },
  /** How long to retry an event. */
  giveUp: PENDING.hours * 3_600_000,
  /** How long stop() waits for requests in flight. */
  stop: 2_000,
};

/**
 * Sinks that are sent something at the same time. Working, new and failing ones have as many places each, so that none
 * waits for those of another kind; in each kind, organizations share the places. Many more than one person can have
 * organizations by default: even if all of their sinks hang, others find places.
 */
const PLACES = { atOnce: 256, keepsFree: 8 };
/** Sinks of one organization that wait for a place; a later look finds further ones. */
const WAITING = 1_000;
/** Parallel requests to a sink that works. Others get one, from all processes together. */
const AT_ONCE = 4;
/** Consecutive failures after which a sink no longer counts as working. */
const TOO_MANY = 5;
/** Ended deliveries of a subscription after which a process drops those beyond what is kept. */
const DROP_EVERY = 50;
/** Subscriptions whose ended deliveries are counted; the least recent ones are forgotten. */
const COUNTED = 10_000;
/** Organizations, and queues of each, that one statement reads. */
const READ = { organizations: 16, queues: 16 };
/** Pause after such a statement, as a multiple of its time: most of the database's time goes to others. */
const PAUSE = 2;

type Kind = "working" | "new" | "failing";

const kindOf = ({ works, failures }: Pick<Sink, "works" | "failures">): Kind =>
  works ? "working" : failures === 0 ? "new" : "failing";

/** What a transaction stored for one subscription. */
export interface Stored {
  readonly sink: Sink;
  readonly stored: number;
  /** Not stored, because too many are pending. */
  readonly dropped: number;
}

export interface Dispatcher {
  /** Call when deliveries have been stored. */
  wake(stored: readonly Stored[]): void;
  /** Call when stored deliveries of one subscription have become due. */
  wakeOne(subscription: string): void;
  /** Starts no more deliveries; those in flight get a moment to finish. */
  stop(): Promise<void>;
}

/**
 * Delivers pending events at least once, in no particular order. Processes that share a database share the work and what
 * they know of sinks. Failed deliveries are retried with backoff and jitter, for a day.
 */
export function startDispatcher({
  database,
  send,
  log,
  times = TIMES,
  mostPending = PENDING.events,
  mostKept = KEPT.deliveries,
  statements = createStatementTurns(database),
}: {
  readonly database: Database;
  readonly send: Send;
  readonly log: Log;
  readonly times?: typeof TIMES;
  readonly mostPending?: number;
  readonly mostKept?: number;
  /** For statements that no request waits for, of this and all other background work. */
  readonly statements?: BackgroundTurns;
}): Dispatcher {
  const places = () => createBackgroundTurns({ ...PLACES, waiting: WAITING });
  const turns: Readonly<Record<Kind, BackgroundTurns>> = {
    working: places(),
    new: places(),
    failing: places(),
  };
  const steps = createSteps(log, ["delivery-queues"]);
  // What fails because the database was closed is no failure.
  const run: RunStep = (step, work) =>
    steps(step, () => work().catch((error: unknown) => (closed ? undefined : Promise.reject(error))));
  const backlogs = createBacklogs({ database, log, run, most: mostPending, statements });
  /** Sinks that wait for a place or have one; `again` if more was stored meanwhile. */
  const busy = new Map<string, { again: boolean }>();
  const sending = new Set<Promise<void>>();
  /** Ended deliveries by subscription, since the oldest ones were dropped. */
  const ended = new Map<string, number>();
  /** No more deliveries start. */
  let stopped = false;
  /** The database may be closed. */
  let closed = false;
  let looking: Promise<void> | undefined;
  let lookedAt = -Infinity;
  /** Time of the next look. */
  let nextAt = Infinity;
  let timer: NodeJS.Timeout | undefined;

  const delayOf = (attempts: number): number =>
    Math.min(times.first * 2 ** Math.min(attempts - 1, 30), times.longest) * (0.5 + Math.random() / 2);

  /** Looks at all queues at this time, in milliseconds since 1970, if not earlier. */
  function lookAt(wanted: number): void {
    const at = Math.max(wanted, lookedAt + times.between);
    if (stopped || at >= nextAt) return;
    nextAt = at;
    clearTimeout(timer);
    timer = setTimeout(look, Math.max(0, at - Date.now())).unref();
  }

  /** Ends a delivery; drops the oldest ones of its subscription now and then. */
  async function end(held: ClaimedDelivery, how: Parameters<typeof endDelivery>[2]): Promise<void> {
    const { subscription } = held;
    await endDelivery(database, held, how);
    const count = (ended.get(subscription) ?? 0) + 1;
    ended.delete(subscription);
    if (count < DROP_EVERY) ended.set(subscription, count);
    else await dropOldest(database, subscription, mostKept);
    for (const first of ended.keys()) {
      if (ended.size <= COUNTED) break;
      ended.delete(first);
    }
  }

  async function settle(held: ClaimedDelivery, sink: Sink, attempt: Attempt, error: unknown): Promise<void> {
    const at = now();
    if (error === undefined) return end(held, { state: "DELIVERY_STATE_DELIVERED", at, attempt });
    if (at.getTime() - held.since.getTime() < times.giveUp) {
      const next = new Date(at.getTime() + delayOf(held.attempts));
      await putOff(database, held, { next, attempt });
      return lookAt(next.getTime());
    }
    const { subscription, id, attempts } = held;
    log.warn({ subscription, event: id, attempts, host: hostOf(sink), err: error }, "gave up on an event");
    return end(held, { state: "DELIVERY_STATE_GIVEN_UP", at, attempt });
  }

  /** Sends an event once; `error` is undefined if it arrived. */
  async function attemptOnce({ event }: ClaimedDelivery, { sink, group }: Sink) {
    const time = now().toISOString();
    const from = performance.now();
    const { outcome, error } = await send({ event, sink, group }).then(
      (status): { outcome: DeliveryOutcome; error?: unknown } => ({
        outcome: typeof status === "number" ? { status } : {},
      }),
      (failure: unknown) => ({ outcome: failureOf(failure), error: failure ?? new Error("failed") }),
    );
    return { attempt: { time, milliseconds: Math.round(performance.now() - from), ...outcome }, error };
  }

  /** Stores what an attempt says about its sink; other processes act on it as well. */
  async function learn(sink: Sink, error: unknown): Promise<Sink> {
    const { uid, works, failures } = sink;
    const facts = { subscription: uid, host: hostOf(sink) };
    if (error === undefined) {
      if (works && failures === 0) return sink;
      await storeSuccess(database, uid);
      if (failures >= TOO_MANY) log.info(facts, "an event sink works again");
      return { ...sink, works: true, failures: 0 };
    }
    const { first, longest } = times.rest;
    const jitter = 0.5 + Math.random() / 2;
    const outcome = { most: TOO_MANY, at: now(), rest: first * jitter, longest: longest * jitter };
    const known = await storeFailure(database, uid, outcome);
    if (known?.failures === TOO_MANY) log.warn({ ...facts, err: error }, "an event sink is failing");
    return { ...sink, ...known };
  }

  /**
   * Sends as many events to a sink as it may get at once.
   * @returns what is known of it then; undefined if nothing was due
   */
  async function serve(sink: Sink): Promise<Sink | undefined> {
    if (stopped) return undefined;
    const { uid, works } = sink;
    const claim = { uid, lease: times.lease };
    let held: ClaimedDelivery[] = [];
    const isClaimed = await run("delivery-claims", async () => {
      held = await statements(rootOf(uid), () =>
        works
          ? claimWorking(database, { ...claim, at: now(), most: AT_ONCE })
          : claimAlone(database, { ...claim, at: now(), most: 1 }),
      );
    });
    if (!isClaimed) throw new Error("not claimed");
    let known = sink;
    await Promise.all(
      held.map(async (delivery) => {
        const { attempt, error } = await attemptOnce(delivery, sink);
        // A result that cannot be stored is dropped: the lease expires, and the event is sent again.
        if (closed) return;
        await run("delivery-results", () =>
          statements(rootOf(uid), async () => {
            await settle(delivery, sink, attempt, error);
            known = await learn(known, error);
          }),
        );
      }),
    );
    if (held.length > 0 && !closed)
      await run("delivery-backlogs", async () => {
        known = await backlogs.served(known);
      });
    return held.length > 0 ? known : undefined;
  }

  /** Sends what is due to a sink as soon as it is its turn. */
  function offer(sink: Sink): void {
    if (stopped) return;
    const { uid, works, restsUntil } = sink;
    const before = busy.get(uid);
    if (before) {
      before.again = true;
      return;
    }
    if (!works && restsUntil.getTime() > now().getTime()) return lookAt(restsUntil.getTime());
    const state = { again: false };
    busy.set(uid, state);
    const done = turns[kindOf(sink)](rootOf(uid), () => serve(sink)).then(
      (known) => {
        busy.delete(uid);
        if (known ?? state.again) offer(known ?? sink);
      },
      () => {
        // Too many wait, or the database is not available.
        busy.delete(uid);
        lookAt(Date.now() + times.look.postgres);
      },
    );
    sending.add(done);
    void done.finally(() => sending.delete(done));
  }

  /** Offers those of these queues that are due; removes those of deleted subscriptions. */
  async function consider(queues: readonly Queue[]): Promise<void> {
    const gone = queues.filter(({ sink }) => sink === null).map(({ uid }) => uid);
    if (gone.length > 0) await endQueues(database, gone);
    const at = now().getTime();
    for (const queue of queues) {
      const { sink, group, due } = queue;
      if (sink === null || group === null) continue;
      if (due.getTime() <= at) offer({ ...queue, sink, group });
      else lookAt(due.getTime());
    }
  }

  /**
   * Looks at every queue, in small steps: those of one organization after those of another, so that the queues of a
   * large one do not come before all of a small one.
   */
  async function lookAtAll(): Promise<void> {
    let after: string | undefined = "";
    const open: Position[] = [];
    while (after !== undefined || open.length > 0) {
      if (stopped) return;
      const from = performance.now();
      if (after !== undefined) {
        const found: string[] = await readOrganizations(database, after, READ.organizations);
        after = found.length < READ.organizations ? undefined : found.at(-1);
        open.unshift(...found.map((organization) => ({ organization, after: organization })));
      }
      const some = open.splice(0, READ.organizations);
      const queues = some.length > 0 ? await readQueues(database, some, READ.queues) : [];
      await consider(queues);
      for (const { organization } of some) {
        const own = queues.filter((queue) => queue.organization === organization);
        if (own.length === READ.queues) open.push({ organization, after: own.at(-1)?.uid ?? "" });
      }
      const pause = PAUSE * (performance.now() - from);
      await new Promise((resolve) => setTimeout(resolve, pause).unref());
    }
  }

  function look(): void {
    if (stopped || looking) return;
    nextAt = Infinity;
    looking = lookOnce();
  }

  async function lookOnce(): Promise<void> {
    await run("delivery-queues", async () => {
      await backlogs.flush();
      await lookAtAll();
    });
    looking = undefined;
    lookedAt = Date.now();
    // The time of an earlier look may have passed meanwhile.
    const next = Math.min(nextAt, lookedAt + times.look[database.kind]);
    nextAt = Infinity;
    lookAt(next);
  }

  look();
  return {
    wake(stored) {
      if (stopped) return;
      backlogs.note(stored);
      for (const { sink, stored: count } of stored) if (count > 0) offer(sink);
    },
    wakeOne(subscription) {
      const offerIt = async () => {
        const sink = await readSink(database, subscription);
        if (sink) offer(sink);
      };
      // A failure only delays it until the next look.
      void run("delivery-wakes", () => statements(rootOf(subscription), offerIt));
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      const patience = new Promise((resolve) => setTimeout(resolve, times.stop).unref());
      await Promise.race([Promise.all([looking, backlogs.settled(), ...sending]), patience]);
      closed = true;
    },
  };
}

/** The part of a sink that can be logged: its path can be a secret. */
const hostOf = ({ sink }: Sink): string => parseUrl(sink)?.host ?? "";
