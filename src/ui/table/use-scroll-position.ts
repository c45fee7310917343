import { useCallback, useEffect, useLayoutEffect, useReducer, useRef, useState } from "react";

import { findAnchor, type Anchor } from "./anchor";
import type { MergedRows } from "./merged-rows";
import type { VirtualRows } from "./use-virtual-rows";
import { useLatest } from "../use-latest";

/** Long enough that a smooth scroll does not update the address, or request rows, at every step. */
const SETTLED_MS = 150;
/** Distance from the loaded rows, in rows, within which rows load page by page; beyond it, the list jumps. */
const PAGING_DISTANCE_ROWS = 100;

interface PlaceOptions {
  readonly track: VirtualRows;
  /** Keys of the loaded rows, and the index of the first one in the whole list. */
  readonly keys: readonly string[];
  readonly firstRow: number;
  /** Number of rows in the whole list. */
  readonly count: number;
  /** Which record each row begins with: the URL and jumps count records, as the API does. */
  readonly merged: Pick<MergedRows<never>, "rowOf" | "recordOf">;
  /** The position in the URL: the index of the first record in view; undefined for the top. */
  readonly at: number | undefined;
  /** Writes it to the URL. Returns false if it cannot do so yet. */
  readonly onAt: ((at: number | undefined) => boolean) | undefined;
  /** Order and filters; another view starts at its own `at`. */
  readonly view: string;
  /** False while there are no rows yet, or those of the previous view. */
  readonly ready: boolean;
  /** Requests records that are not loaded. */
  readonly onJump: ((record: number) => Promise<unknown>) | undefined;
}

interface HeldPosition extends Anchor {
  readonly firstRow: number;
  /** How far the row is scrolled out of view, in rows; can be any distance while rows in view are loading. */
  readonly part: number;
  readonly top: boolean;
}

/**
 * Keeps the position in a list: restores it from the URL, writes it back when scrolling settles, and holds it by the
 * key of the first row in view while rows are patched, refreshed or removed. Requests rows in view that are not loaded.
 */
export function useScrollPosition(options: PlaceOptions) {
  const { track, keys, firstRow, count, merged, at, view, ready, onJump } = options;
  const latest = useLatest(options);
  const held = useRef<HeldPosition>(undefined);
  /** A record to go to once it is loaded. */
  const target = useRef<number | undefined>(at);
  /** The last requested record; even if it is missing, not requested again before the user moves on. */
  const asked = useRef<number>(undefined);
  const seen = useRef({ view, own: [at] });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [turn, wake] = useReducer((before: number) => before + 1, 0);
  const [missed, setMissed] = useState<{ readonly record: number; readonly error: unknown }>();

  const take = useCallback(() => {
    const { track: now, keys: all, firstRow: start } = latest.current;
    if (all.length === 0) return;
    const place = now.place();
    const index = Math.min(Math.max(0, Math.floor(place + 0.01) - start), all.length - 1);
    held.current = {
      key: all[index] ?? "",
      index,
      keys: all,
      firstRow: start,
      part: place - start - index,
      top: place < 0.02,
    };
  }, [latest]);

  const ask = useCallback(
    (record: number) => {
      const jump = latest.current.onJump;
      if (!jump || asked.current === record) return;
      asked.current = record;
      setMissed(undefined);
      jump(record).catch((error: unknown) => {
        if (asked.current === record) setMissed({ record, error });
      });
    },
    [latest],
  );

  /** Requests the rows in view if none of them are loaded or about to be. */
  const seek = useCallback(() => {
    const { track: now, keys: all, firstRow: start, count: whole, ready: settled } = latest.current;
    const row = Math.min(Math.floor(now.place()), whole - 1);
    const near =
      row + now.room() > start - PAGING_DISTANCE_ROWS && row < start + all.length + PAGING_DISTANCE_ROWS;
    if (settled && whole > 0 && (!near || all.length === 0))
      ask(latest.current.merged.recordOf(Math.max(0, row)));
  }, [ask, latest]);

  const write = useCallback(
    function write() {
      timer.current = undefined;
      const { onAt, track: now, count: whole } = latest.current;
      now.settle();
      asked.current = undefined;
      if (target.current !== undefined) return;
      seek();
      const row = Math.max(0, Math.min(Math.floor(now.place() + 0.01), whole - 1));
      const value = row === 0 ? undefined : latest.current.merged.recordOf(row);
      const { own } = seen.current;
      if (!onAt || own.at(-1) === value) return;
      if (onAt(value)) seen.current.own = [...own.slice(-4), value];
      else timer.current = setTimeout(write, SETTLED_MS);
    },
    [seek, latest],
  );

  const rest = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(write, SETTLED_MS);
  }, [write]);

  useLayoutEffect(() => {
    const past = seen.current;
    if (past.view !== view) {
      clearTimeout(timer.current);
      seen.current = { view, own: [at] };
      target.current = at ?? 0;
      asked.current = undefined;
      held.current = undefined;
      track.moveTo(0);
    } else if (!past.own.includes(at)) {
      // Not one of our own writes: Back, Forward, or a link.
      past.own = [at];
      target.current = at ?? 0;
      asked.current = undefined;
    }
    if (!ready || count === 0) return;
    if (target.current !== undefined) {
      const row = Math.min(merged.rowOf(target.current), count - 1);
      // Immediately: its rows will appear there.
      track.moveTo(row);
      if (row >= firstRow && row < firstRow + keys.length) {
        target.current = undefined;
        rest();
      } else ask(merged.recordOf(row));
    } else if (held.current && !held.current.top) {
      const { firstRow: start, index, part } = held.current;
      const found = findAnchor(held.current, keys);
      if (found !== undefined && firstRow + found !== start + index) track.moveTo(firstRow + found + part);
      else if (timer.current === undefined) seek();
    }
    take();
  }, [track, keys, firstRow, count, merged, at, view, ready, ask, seek, take, rest, turn]);

  useEffect(() => () => clearTimeout(timer.current), []);

  const onScroll = useCallback(() => {
    take();
    rest();
  }, [take, rest]);

  /** The user scrolls: they no longer wait for a position that is still loading. */
  const onTakeOver = useCallback(() => {
    target.current = undefined;
  }, []);

  /** Goes to a record by its index in the whole list, loaded or not. */
  const goTo = useCallback((record: number) => {
    target.current = record;
    asked.current = undefined;
    wake();
  }, []);

  /** The user waits for a row that only loading more pages can reach. */
  // oxlint-disable-next-line react/refs -- a change of the target always renders: by `wake`, or by the rows it waits for
  const waiting = target.current !== undefined && onJump === undefined;
  const retry =
    missed &&
    (() => {
      asked.current = undefined;
      ask(missed.record);
    });
  // oxlint-disable-next-line react/refs -- as above
  return { onScroll, onTakeOver, goTo, waiting, missed, retry };
}
