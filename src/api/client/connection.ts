import { useSyncExternalStore } from "react";

import { Store } from "~/store";

/** Whether the service is reachable: "up" until a request and the probe after it both get no response. */
export type Connection =
  | { readonly state: "up" }
  | {
      readonly state: "down";
      /** Says which host is unreachable. */
      readonly message: string;
      /** When the service last responded, in ms; undefined if never since the page was opened. */
      readonly lastResponse: number | undefined;
      /** When the next try starts, in ms; undefined while one is in flight. */
      readonly nextTry: number | undefined;
    };

/** Seconds between tries, plus or minus a fifth; the last one repeats. */
const WAITS = [2, 4, 8, 15, 30];

const UP: Connection = { state: "up" };

export class ConnectionWatch {
  #now: Connection = UP;
  #lastResponse: number | undefined;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #probing = false;
  #ended = false;
  readonly #listeners = new Set<() => void>();

  /** `probe` sends any request to the service, and rejects with the reason if there is no response. */
  constructor(readonly probe: () => Promise<void>) {}

  readonly get = (): Connection => this.#now;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Called when the service has responded, whatever the response. */
  noteResponse(): void {
    this.#lastResponse = Date.now();
    this.#tries = 0;
    clearTimeout(this.#timer);
    if (this.#now.state === "down") this.#set(UP);
  }

  /** Tries now: a request got no response, the browser reports a change, or the user asked. */
  readonly check = (): void => {
    clearTimeout(this.#timer);
    if (!this.#probing) void this.#try();
  };

  /** Called when the connection may have improved: no need to wait for the next try. */
  hint(): void {
    if (this.#now.state === "down" && document.visibilityState === "visible") this.check();
  }

  /** Tries no more: another watch has taken its place. */
  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
  }

  async #try(): Promise<void> {
    if (this.#ended) return;
    this.#probing = true;
    if (this.#now.state === "down") this.#set({ ...this.#now, nextTry: undefined });
    try {
      await this.probe();
      this.noteResponse();
    } catch (error) {
      if (this.#ended) return;
      const wait = (WAITS[this.#tries++] ?? 30) * (0.8 + Math.random() * 0.4) * 1000;
      this.#timer = setTimeout(this.check, wait);
      this.#set({
        state: "down",
        message: error instanceof Error ? error.message : String(error),
        lastResponse: this.#lastResponse,
        nextTry: Date.now() + wait,
      });
    } finally {
      this.#probing = false;
    }
  }

  #set(next: Connection): void {
    this.#now = next;
    for (const listener of this.#listeners) listener();
  }
}

const current = new Store<ConnectionWatch | undefined>(() => undefined);

/** Starts watching the connection of this page. The browser's events are only hints: they prove nothing. */
export function watchConnection(probe: () => Promise<void>): ConnectionWatch {
  const made = new ConnectionWatch(probe);
  current.get()?.end();
  current.set(made);
  if (typeof window !== "undefined") {
    window.addEventListener("online", () => made.hint());
    window.addEventListener("offline", () => made.check());
    document.addEventListener("visibilitychange", () => made.hint());
  }
  return made;
}

const never = (): (() => void) => () => undefined;
const up = (): Connection => UP;

/** The state of the connection; re-renders when it changes. */
export const useConnection = (): Connection =>
  useSyncExternalStore(current.get()?.subscribe ?? never, current.get()?.get ?? up);

export const isDown = (): boolean => current.get()?.get().state === "down";

/** Tries to reach the service now. */
export const tryNow = (): void => current.get()?.check();
