import { useCallback, useEffect, useLayoutEffect, useReducer, useRef, type RefObject } from "react";

import { findAnchor, type Anchor } from "./anchor";

/** Long enough that a glide does not write an address at every step. */
const SETTLED_MS = 150;

interface PlaceOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly keys: readonly string[];
  /** Index of the first loaded row in the whole list. */
  readonly firstRow: number;
  /** Px above the first row, beneath the header. */
  readonly lead: number;
  readonly rowHeight: number;
  /** The place in the URL: the index of the first row in view; undefined for the top. */
  readonly at: number | undefined;
  readonly onAt: ((at: number | undefined) => void) | undefined;
  /** Order and filters; another view begins at its own `at`. */
  readonly view: string;
  /** False while the rows shown are those of the view before. */
  readonly ready: boolean;
  /** No more rows follow the loaded ones. */
  readonly complete: boolean;
  /** Asks for rows that are not loaded. */
  readonly onJump: ((row: number) => void) | undefined;
}

interface Held extends Anchor {
  readonly firstRow: number;
  /** How far the row is scrolled out, as a part of its height. */
  readonly part: number;
  readonly top: boolean;
}

/**
 * Keeps the place in a list: restored from the URL, written back when scrolling settles, and held by the key of the
 * first row in view while rows are patched, refreshed, removed, or loaded above it.
 */
export function usePlace(options: PlaceOptions) {
  const { scroller, keys, firstRow, lead, rowHeight, at, view, ready, complete, onJump } = options;
  const latest = useRef(options);
  latest.current = options;
  const held = useRef<Held>(undefined);
  /** A row to go to as soon as it is loaded. */
  const target = useRef<number | undefined>(at);
  const asked = useRef<number>(undefined);
  const seen = useRef({ view, own: [at] });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [turn, wake] = useReducer((turn: number) => turn + 1, 0);

  const take = useCallback(() => {
    const element = scroller.current;
    const now = latest.current;
    if (!element || now.keys.length === 0) return;
    const position = Math.max(0, (element.scrollTop - now.lead) / now.rowHeight);
    const index = Math.min(Math.floor(position + 0.01), now.keys.length - 1);
    const { keys: all, firstRow: start } = now;
    held.current = {
      key: all[index] ?? "",
      index,
      keys: all,
      firstRow: start,
      part: Math.max(0, position - index),
      top: element.scrollTop < 1 && start === 0,
    };
  }, [scroller]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const past = seen.current;
    if (past.view !== view) {
      clearTimeout(timer.current);
      seen.current = { view, own: [at] };
      target.current = at ?? 0;
      asked.current = undefined;
      held.current = undefined;
      element.scrollTop = 0;
    } else if (!past.own.includes(at)) {
      // Not one of our own writes coming back: Back, Forward, or a link.
      past.own = [at];
      target.current = at ?? 0;
      asked.current = undefined;
    }
    if (target.current !== undefined) {
      const wanted = target.current - firstRow;
      if (!ready || keys.length === 0) return;
      const within = wanted >= 0 && wanted < keys.length;
      if (within || (complete && wanted >= 0)) {
        const goal = firstRow + wanted === 0 ? 0 : lead + Math.min(wanted, keys.length - 1) * rowHeight;
        element.scrollTop = goal;
        // Too few rows below it yet to stand at the top: again when there are more.
        if (complete || Math.abs(element.scrollTop - goal) < 1) target.current = undefined;
      } else if (onJump && asked.current !== target.current) {
        asked.current = target.current;
        onJump(target.current);
      }
    } else if (held.current && !held.current.top) {
      const index = findAnchor(held.current, keys);
      element.scrollTop = index === undefined ? 0 : lead + (index + held.current.part) * rowHeight;
    }
    take();
  }, [scroller, keys, firstRow, lead, rowHeight, at, view, ready, complete, onJump, take, turn]);

  useEffect(() => () => clearTimeout(timer.current), []);

  const write = useCallback(() => {
    const { onAt } = latest.current;
    if (!held.current || !onAt || target.current !== undefined) return;
    const row = held.current.firstRow + held.current.index;
    const value = row === 0 ? undefined : row;
    const { own } = seen.current;
    if (own.at(-1) === value) return;
    seen.current.own = [...own.slice(-4), value];
    onAt(value);
  }, []);

  const onScroll = useCallback(() => {
    take();
    clearTimeout(timer.current);
    timer.current = setTimeout(write, SETTLED_MS);
  }, [take, write]);

  /** The person moves by hand: they no longer wait for a place that is still loading. */
  const onTakeOver = useCallback(() => {
    target.current = undefined;
  }, []);

  /** Goes to a row by its index in the whole list, loaded or not. */
  const goTo = useCallback((row: number) => {
    target.current = row;
    asked.current = undefined;
    wake();
  }, []);

  /** Somebody waits for a row that only more pages can bring. */
  const waiting = target.current !== undefined && onJump === undefined;
  return { onScroll, onTakeOver, goTo, waiting };
}
