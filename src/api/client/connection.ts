import { useSyncExternalStore } from "react";

/** Whether the service can be reached: yes, until a request is not answered and the one that asks why is not either. */
export type Connection =
  | { readonly state: "up" }
  | {
      readonly state: "down";
      /** In words: who cannot be reached. */
      readonly message: string;
      /** When the service was last heard of, in ms; undefined: never since the page was opened. */
      readonly heardAt: number | undefined;
      /** When the next try begins, in ms; undefined while one is on its way. */
      readonly nextTry: number | undefined;
    };

/** Seconds between tries, give or take a fifth; the last one goes on. */
const WAITS = [2, 4, 8, 15, 30];

const UP: Connection = { state: "up" };

export class ConnectionWatch {
  #now: Connection = UP;
  #heardAt: number | undefined;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #probing = false;
  readonly #listeners = new Set<() => void>();

  /** `probe` asks the service for anything, and rejects with what kept it from answering. */
  constructor(readonly probe: () => Promise<void>) {}

  readonly get = (): Connection => this.#now;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The service has answered something, whatever it was. */
  heard(): void {
    this.#heardAt = Date.now();
    this.#tries = 0;
    clearTimeout(this.#timer);
    if (this.#now.state === "down") this.#set(UP);
  }

  /** Tries now: because a request was not answered, the browser says that something changed, or somebody asks. */
  readonly check = (): void => {
    clearTimeout(this.#timer);
    if (!this.#probing) void this.#try();
  };

  /** Something changed for the better, perhaps: no need to wait for the next try. */
  hint(): void {
    if (this.#now.state === "down" && document.visibilityState === "visible") this.check();
  }

  async #try(): Promise<void> {
    this.#probing = true;
    if (this.#now.state === "down") this.#set({ ...this.#now, nextTry: undefined });
    try {
      await this.probe();
      this.heard();
    } catch (error) {
      const wait = (WAITS[this.#tries++] ?? 30) * (0.8 + Math.random() * 0.4) * 1000;
      this.#timer = setTimeout(this.check, wait);
      this.#set({
        state: "down",
        message: error instanceof Error ? error.message : String(error),
        heardAt: this.#heardAt,
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

let watch: ConnectionWatch | undefined;

/** Begins to watch the connection of this page, with what the browser says about it as a hint: it proves nothing. */
export function watchConnection(probe: () => Promise<void>): ConnectionWatch {
  const made = new ConnectionWatch(probe);
  watch = made;
  if (typeof window !== "undefined") {
    window.addEventListener("online", () => made.hint());
    window.addEventListener("offline", () => made.check());
    document.addEventListener("visibilitychange", () => made.hint());
  }
  return made;
}

const never = (): (() => void) => () => undefined;
const up = (): Connection => UP;

/** Whether the service can be reached; renders again when that changes. */
export const useConnection = (): Connection =>
  useSyncExternalStore(watch?.subscribe ?? never, watch?.get ?? up);

export const isDown = (): boolean => watch?.get().state === "down";

/** Tries to reach the service now. */
export const tryNow = (): void => watch?.check();
