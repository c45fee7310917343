import { ApiError } from "platform-client/errors";

import { retryDelay } from "../bulk/outcome";
import type { Deleted } from "./send-delete";

/**
 * The state of a deletion.
 * - `waiting`: not sent. - `held`: to be sent again, once the service responds. - `sending`: no response yet.
 * - `left`: sent as the page was left, response unknown. - `undoing`: not sent; checking if the record still exists.
 * - `deleted`. - `gone`: someone else deleted it. - `kept`: undone. - `failed`: it still exists, or that is unknown.
 */
export type DeletionState =
  | "waiting"
  | "held"
  | "sending"
  | "left"
  | "undoing"
  | "deleted"
  | "gone"
  | "kept"
  | "failed";

export interface Deletion<T> {
  readonly uid: string;
  readonly target: T;
  readonly state: DeletionState;
  /** True while no request was sent that the service may have carried out. */
  readonly canUndo: boolean;
  /** With `failed`: why. */
  readonly reason?: string | undefined;
  readonly requestId?: string | undefined;
  /** With `failed`: it may have worked. With `kept`: could not check whether the record still exists. */
  readonly uncertain?: boolean | undefined;
}

interface Work<T> {
  /** Deletes. Rejects with an ApiError that says what is known. */
  send(target: T): Promise<Deleted>;
  /** Whether the record still exists; undefined if that cannot be determined. */
  isThere(target: T): Promise<boolean | undefined>;
  /** True if the service is known to be unreachable. */
  isDown(): boolean;
  /** Called when the record is gone, whoever deleted it; before listeners are notified. */
  onGone(target: T): void;
}

/** Milliseconds during which a deletion can be undone, and for which its outcome is shown. */
export const UNDO_WINDOW_MS = 6000;
/** Milliseconds between checks for whether the service is reachable. */
const RECHECK_INTERVAL_MS = 1000;
const MAX_RETRIES = 6;
/** Milliseconds that are left at least after the user has paused the clock. */
const MIN_LEFT_MS = 1000;

/** One deletion, with its internal state. */
interface Entry<T> extends Deletion<T> {
  readonly retries: number;
  /** Sent before: if the record is gone, that request may have deleted it. */
  readonly repeated: boolean;
}

interface Clock {
  /** True if it pauses while the user reads. */
  readonly stops: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
  left: number;
  since: number;
  readonly over: () => void;
}

const UNDER_WAY: readonly DeletionState[] = ["waiting", "held", "sending", "left"];

/** True if the deletion is in progress: no list shows the record, but it is not reported as deleted yet. */
export const isUnderWay = ({ state }: Pick<Deletion<unknown>, "state">): boolean => UNDER_WAY.includes(state);

/** Deletions that wait before they are sent, so that they can be undone, each with its outcome. */
export class DeletionQueue<T extends { readonly uid: string }> {
  readonly #work: Work<T>;
  readonly #listeners = new Set<() => void>();
  readonly #clocks = new Map<string, Clock>();
  #entries: readonly Entry<T>[] = [];
  #paused = false;

  constructor(work: Work<T>) {
    this.#work = work;
  }

  readonly get = (): readonly Deletion<T>[] => this.#entries;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Starts the wait for one; does nothing if its deletion is already in progress. */
  add(target: T): void {
    if (!this.#begin(target, "waiting", false)) return;
    this.#after(target.uid, UNDO_WINDOW_MS, () => void this.#send(target.uid));
  }

  /** Continues deletions that another page sent when it was left. */
  restore(targets: readonly T[]): void {
    for (const target of targets) if (this.#begin(target, "left", true)) void this.#send(target.uid);
  }

  /** Undoes a deletion that was not sent; the latest if there is no uid. */
  readonly undo = (uid = this.#entries.findLast(({ canUndo }) => canUndo)?.uid): void => {
    const entry = this.#find(uid);
    if (entry?.canUndo) void this.#undo(entry);
  };

  async #undo({ uid, target }: Entry<T>): Promise<void> {
    this.#set(uid, { state: "undoing", canUndo: false });
    const there = await this.#work.isThere(target).catch(() => undefined);
    // Deleted again meanwhile: lists show the record from the press on.
    if (this.#find(uid)?.state !== "undoing") return;
    if (there === false) this.#work.onGone(target);
    if (there === false) return this.#settle(uid, "gone");
    this.#settle(uid, "kept", there === undefined);
  }

  /** Pauses the time for undoing and for showing outcomes, while the user reads. */
  readonly pause = (): void => {
    if (this.#paused) return;
    this.#paused = true;
    for (const clock of this.#clocks.values()) {
      if (!clock.stops) continue;
      clearTimeout(clock.timer);
      clock.left = Math.max(MIN_LEFT_MS, clock.left - (Date.now() - clock.since));
    }
  };

  readonly resume = (): void => {
    if (!this.#paused) return;
    this.#paused = false;
    for (const clock of this.#clocks.values()) if (clock.stops) this.#run(clock);
  };

  /** Sends everything that waits now. Resolves when nothing is in progress any more. */
  flush(): Promise<void> {
    for (const { uid, state } of this.#entries) if (state === "waiting") void this.#send(uid);
    return new Promise((resolve) => {
      const look = () => {
        if (this.#entries.some(isUnderWay)) return;
        stop();
        resolve();
      };
      const stop = this.subscribe(look);
      look();
    });
  }

  /** Called when the page is left: returns the deletions in progress, for the caller to send. */
  leave(): T[] {
    const left = this.#entries.filter(isUnderWay);
    for (const { uid } of left) this.#set(uid, { state: "left", canUndo: false, repeated: true });
    return left.map(({ target }) => target);
  }

  /** Called when the page that was left is back, unchanged. */
  comeBack(): void {
    for (const { uid, state } of this.#entries) if (state === "left") void this.#send(uid);
  }

  /** Removes a settled deletion from the list. */
  readonly dismiss = (uid: string): void => {
    const entry = this.#find(uid);
    if (!entry || isUnderWay(entry)) return;
    this.#stop(uid);
    this.#entries = this.#entries.filter((each) => each !== entry);
    this.#notify();
  };

  #begin(target: T, state: DeletionState, repeated: boolean): boolean {
    const { uid } = target;
    const before = this.#find(uid);
    if (before && isUnderWay(before)) return false;
    this.#stop(uid);
    const entry = { uid, target, state, canUndo: state === "waiting", retries: 0, repeated };
    this.#entries = [...this.#entries.filter((each) => each !== before), entry];
    this.#notify();
    return true;
  }

  async #send(uid: string): Promise<void> {
    const entry = this.#find(uid);
    if (!entry) return;
    const { target, repeated, canUndo } = entry;
    if (this.#work.isDown()) {
      this.#set(uid, { state: "held", canUndo });
      return this.#after(uid, RECHECK_INTERVAL_MS, () => void this.#send(uid));
    }
    this.#set(uid, { state: "sending", canUndo: false });
    try {
      const how = await this.#work.send(target);
      this.#work.onGone(target);
      this.#settle(uid, how === "gone" && !repeated ? "gone" : "deleted");
    } catch (error) {
      this.#failed(entry, error);
    }
  }

  #failed({ uid, canUndo, retries, repeated }: Entry<T>, error: unknown): void {
    // The page was left meanwhile: the next one finds out.
    if (this.#find(uid)?.state !== "sending") return;
    const uncertain = error instanceof ApiError && error.outcome === "unknown";
    const delay = delayOf(error, retries);
    if (delay !== undefined) {
      this.#set(uid, {
        state: "held",
        canUndo: canUndo && !uncertain,
        retries: retries + 1,
        repeated: repeated || uncertain,
      });
      return this.#after(uid, delay, () => void this.#send(uid));
    }
    const reason = error instanceof Error ? error.message : String(error);
    const requestId = error instanceof ApiError ? error.requestId : undefined;
    this.#set(uid, { state: "failed", canUndo: false, reason, requestId, uncertain });
  }

  #settle(uid: string, state: "deleted" | "gone" | "kept", uncertain = false): void {
    this.#set(uid, { state, canUndo: false, uncertain });
    this.#after(uid, UNDO_WINDOW_MS, () => this.dismiss(uid));
  }

  #find(uid: string | undefined): Entry<T> | undefined {
    return this.#entries.find((each) => each.uid === uid);
  }

  #set(uid: string, change: Partial<Entry<T>>): void {
    this.#stop(uid);
    this.#entries = this.#entries.map((each) => (each.uid === uid ? { ...each, ...change } : each));
    this.#notify();
  }

  #after(uid: string, left: number, over: () => void): void {
    const stops = this.#find(uid)?.state !== "held";
    const clock: Clock = { stops, timer: undefined, left, since: Date.now(), over };
    this.#clocks.set(uid, clock);
    if (!this.#paused || !stops) this.#run(clock);
  }

  #run(clock: Clock): void {
    clock.since = Date.now();
    clock.timer = setTimeout(clock.over, clock.left);
  }

  #stop(uid: string): void {
    clearTimeout(this.#clocks.get(uid)?.timer);
    this.#clocks.delete(uid);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Milliseconds until a delete is sent again; undefined if that would not help. A delete can always be repeated. */
function delayOf(error: unknown, retries: number): number | undefined {
  if (!(error instanceof ApiError) || retries >= MAX_RETRIES) return undefined;
  const asked = retryDelay(error, retries, Date.now());
  if (asked !== undefined) return asked;
  return error.kind === "unreachable" ? Math.min(RECHECK_INTERVAL_MS * 2 ** retries, 15_000) : undefined;
}
