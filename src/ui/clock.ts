import { useCallback, useSyncExternalStore } from "react";

/** One timer for all components with the same step; stops when the last one unsubscribes. */
class Ticker {
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(readonly step: number) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.#timer ??= setInterval(() => {
      for (const each of this.#listeners) each();
    }, this.step);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  };

  /** Rounded down to the step: a render between two ticks sees the same value. */
  readonly now = (): number => Math.floor(Date.now() / this.step) * this.step;
}

const tickers = new Map<number, Ticker>();

function ticker(step: number): Ticker {
  const known = tickers.get(step);
  if (known) return known;
  const made = new Ticker(step);
  tickers.set(step, made);
  return made;
}

/** The current time in ms, updated every `seconds`: coarse on purpose, so that a list of times ticks as one. */
export function useNow(seconds: number): number {
  const { subscribe, now } = ticker(seconds * 1000);
  return useSyncExternalStore(subscribe, now);
}

const never = () => () => {};

/** Whole seconds until `until` (in ms), counted down; 0 if that has passed or is 0. Runs a timer only while it counts. */
export function useSecondsUntil(until: number): number {
  const left = useCallback(() => Math.max(0, Math.ceil((until - Date.now()) / 1000)), [until]);
  const subscribe = useCallback(
    (listener: () => void) => (left() > 0 ? ticker(1000).subscribe : never)(listener),
    [left],
  );
  return useSyncExternalStore(subscribe, left);
}
