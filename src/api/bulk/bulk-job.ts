import type { Again } from "./recreation-plan";
import {
  countStates,
  hasFailed,
  isOpen,
  jobStopReason,
  outcomeOf,
  retryDelay,
  type Counts,
  type ItemState,
  type BulkOutcome,
} from "./outcome";

/** What a job acts on. Everything in it is JSON, so that it survives a reload. */
export interface JobTarget {
  readonly uid: string;
  readonly name: string;
  /** More columns of the file with the outcomes, by their heads, the same ones for every target of a job. */
  readonly facts?: Readonly<Record<string, string>>;
  /** With a deletion: what the record is created from if the user takes it back. */
  readonly again?: Again | undefined;
}

export type BulkItem<T extends JobTarget = JobTarget> = T & BulkOutcome;

/** What to do with each item, and the callbacks for what was done. */
export interface BulkWork<T extends JobTarget = JobTarget> {
  /** Requests in flight at a time, 4 by default; with 1 the items are sent in order. */
  readonly concurrency?: number;
  /**
   * Later items depend on earlier ones: the job pauses at the first item that fails, and retries that one first when it
   * is resumed. Only for requests that can be repeated, and with a concurrency of 1.
   */
  readonly stopsAtFailure?: boolean;
  /**
   * Resolves to a note on how it was done, or what it made, if any. Rejects with an ApiError that says what is known.
   * `items` has the outcomes so far.
   */
  send(
    item: T,
    items: readonly BulkItem<T>[],
  ): Promise<string | Pick<BulkOutcome, "reason" | "newUid"> | undefined>;
  /** Whether a request without a response worked; undefined if that cannot be determined. */
  wasDone(item: T): Promise<boolean | undefined>;
  /** Called with the uids that were done since the last call; at most twice a second. */
  onDone(uids: readonly string[]): void;
  /** Called when nothing is in flight any more and something was done since the last call. */
  onIdle(): void;
}

/** Stores a job for a reload. */
export interface JobStorage<T extends JobTarget = JobTarget> {
  /** Saves items before and after they are sent. False once there is no room; nothing is stored from then on. */
  save(items: readonly BulkItem<T>[], indexes: readonly number[]): boolean;
  clear(): void;
}

export interface JobSnapshot<T extends JobTarget = JobTarget> {
  readonly status: "running" | "paused" | "finished";
  readonly items: readonly BulkItem<T>[];
  readonly counts: Counts;
  /** The service wants no requests before this time, in ms; 0 if it did not say. */
  readonly waitUntil: number;
  /** Why the job paused itself. */
  readonly problem: string | undefined;
  /** True while requests that a reload interrupted are being looked up. */
  readonly checking: boolean;
  /** True if the job would survive a reload. */
  readonly stored: boolean;
}

const CONCURRENCY = 4;
/** Milliseconds between two notifications, and between two calls of `onDone`. */
const NOTIFY_INTERVAL_MS = 100;
const REPORT_INTERVAL_MS = 500;

type Timer = ReturnType<typeof setTimeout> | undefined;

/**
 * Sends one request for each of many items and keeps the outcome of each. Starts paused. Items that a reload
 * interrupted (`sending`) are looked up before anything is sent, so that nothing is sent twice.
 */
export class BulkJob<T extends JobTarget = JobTarget> {
  readonly #items: BulkItem<T>[];
  readonly #work: BulkWork<T>;
  readonly #storage: JobStorage<T>;
  readonly #listeners = new Set<() => void>();
  readonly #retries = new Map<number, number>();
  /** Indexes of the items to send, the next one last. */
  #queue: number[] = [];
  #running = false;
  #canceled = false;
  #checking = false;
  #stored = true;
  #inFlight = 0;
  #waitUntil = 0;
  #problem: string | undefined;
  #unreported: string[] = [];
  #doneSinceIdle = false;
  #notifyTimer: Timer;
  #reportTimer: Timer;
  #wakeTimer: Timer;
  #snapshot: JobSnapshot<T>;

  constructor(items: readonly BulkItem<T>[], work: BulkWork<T>, storage: JobStorage<T>) {
    this.#items = items.slice();
    this.#work = work;
    this.#storage = storage;
    const interrupted = this.#indexes((state) => state === "sending");
    this.#checking = interrupted.length > 0;
    this.#fillQueue();
    this.#snapshot = this.#read();
    if (this.#checking) void this.#check(interrupted);
  }

  readonly get = (): JobSnapshot<T> => this.#snapshot;

  /** Calls listeners at most ten times a second, and immediately when the status changes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly resume = (): void => {
    if (!this.#running) this.#run(true);
  };

  /** Requests in flight still complete. */
  readonly pause = (): void => this.#run(false);

  /** Items that were not sent never will be. */
  readonly cancel = (): void => {
    this.#canceled = true;
    this.#set(this.#queue, { state: "canceled" });
    this.#queue = [];
    this.#run(false);
  };

  /** Sends only the failed items again. */
  readonly retryFailed = (): void => {
    this.#canceled = false;
    this.#retries.clear();
    this.#set(this.#indexes(hasFailed), { state: "queued" });
    this.#fillQueue();
    this.#run(true);
  };

  #run(running: boolean): void {
    this.#running = running;
    if (running) this.#problem = undefined;
    clearTimeout(this.#wakeTimer);
    this.#pump();
    this.#notify();
  }

  /** Sends as many requests as can be in flight. */
  #pump(): void {
    if (this.#running && !this.#checking) {
      const wait = this.#waitUntil - Date.now();
      clearTimeout(this.#wakeTimer);
      if (wait > 0 && this.#queue.length > 0) this.#wakeTimer = setTimeout(() => this.#pump(), wait);
      else
        while (this.#inFlight < (this.#work.concurrency ?? CONCURRENCY)) {
          const next = this.#queue.pop();
          if (next === undefined) break;
          void this.#send(next);
        }
    }
    if (this.#inFlight > 0 || this.#checking || (this.#running && this.#queue.length > 0)) return;
    this.#report();
    if (this.#doneSinceIdle) this.#work.onIdle();
    this.#doneSinceIdle = false;
    if (this.#queue.length === 0) this.#running = false;
    this.#notify();
  }

  #item(index: number): BulkItem<T> {
    const item = this.#items[index];
    if (!item) throw new Error(`There is no item ${index}`);
    return item;
  }

  async #send(index: number): Promise<void> {
    this.#inFlight += 1;
    this.#set([index], { state: "sending" });
    try {
      this.#done(index, await this.#work.send(this.#item(index), this.#items));
    } catch (error) {
      this.#failed(index, error);
    }
    this.#inFlight -= 1;
    this.#pump();
  }

  #done(index: number, how?: Awaited<ReturnType<BulkWork["send"]>>): void {
    this.#set([index], { state: "done", ...(typeof how === "string" ? { reason: how } : how) });
    this.#doneSinceIdle = true;
    this.#unreported.push(this.#item(index).uid);
    this.#reportTimer ??= setTimeout(() => this.#report(), REPORT_INTERVAL_MS);
  }

  #failed(index: number, error: unknown): void {
    const retries = this.#retries.get(index) ?? 0;
    const delay = retryDelay(error, retries, Date.now());
    const outcome = outcomeOf(error);
    const stops = this.#work.stopsAtFailure === true;
    const failure =
      stops && delay === undefined ? `${this.#items[index]?.name}: ${outcome.reason}` : undefined;
    const obstacle = jobStopReason(error) ?? failure;
    if (obstacle !== undefined) {
      this.#running = false;
      this.#problem = obstacle;
    }
    const again = delay !== undefined || (obstacle !== undefined && (stops || outcome.state !== "unknown"));
    if (!again) return this.#set([index], outcome);
    const { reason, requestId } = outcome;
    if (this.#canceled) return this.#set([index], { state: "canceled", reason });
    if (delay !== undefined) {
      this.#retries.set(index, retries + 1);
      this.#waitUntil = Math.max(this.#waitUntil, Date.now() + delay);
    }
    this.#set([index], { state: "queued", reason, requestId });
    // It is sent first when the job continues.
    this.#queue.push(index);
  }

  /** Looks up the outcome of requests whose responses a reload lost. */
  async #check(interrupted: readonly number[]): Promise<void> {
    const left = interrupted.toReversed();
    const checkNext = async (): Promise<void> => {
      for (let index = left.pop(); index !== undefined; index = left.pop()) {
        const item = this.#item(index);
        const found = await this.#work.wasDone(item).catch((error: unknown) => outcomeOf(error).reason);
        if (found === true) this.#done(index, "The page was reloaded before the response arrived.");
        else if (found === false || this.#work.stopsAtFailure)
          this.#set([index], { state: this.#canceled ? "canceled" : "queued" });
        else {
          const reason = found ?? "We couldn't confirm whether this went through.";
          this.#set([index], { state: "unknown", reason });
        }
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, checkNext));
    this.#checking = false;
    this.#fillQueue();
    this.#pump();
  }

  #set(indexes: readonly number[], outcome: BulkOutcome): void {
    const at = isOpen(outcome.state) ? undefined : new Date().toISOString();
    const none = { reason: undefined, newUid: undefined, requestId: undefined, at };
    for (const index of indexes) this.#items[index] = { ...this.#item(index), ...none, ...outcome };
    this.#stored = this.#storage.save(this.#items, indexes);
    this.#notifyTimer ??= setTimeout(() => this.#notify(), NOTIFY_INTERVAL_MS);
  }

  #indexes(matches: (state: ItemState) => boolean): number[] {
    return this.#items.flatMap(({ state }, index) => (matches(state) ? [index] : []));
  }

  #fillQueue(): void {
    this.#queue = this.#indexes((state) => state === "queued").toReversed();
  }

  #report(): void {
    clearTimeout(this.#reportTimer);
    this.#reportTimer = undefined;
    const uids = this.#unreported;
    this.#unreported = [];
    if (uids.length > 0) this.#work.onDone(uids);
  }

  #notify(): void {
    clearTimeout(this.#notifyTimer);
    this.#notifyTimer = undefined;
    this.#snapshot = this.#read();
    for (const listener of this.#listeners) listener();
  }

  #read(): JobSnapshot<T> {
    const open = this.#items.some(({ state }) => isOpen(state));
    return {
      status: !open ? "finished" : this.#running ? "running" : "paused",
      items: this.#items.slice(),
      counts: countStates(this.#items),
      waitUntil: this.#waitUntil,
      problem: this.#problem,
      checking: this.#checking,
      stored: this.#stored,
    };
  }
}
