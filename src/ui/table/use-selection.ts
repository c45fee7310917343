import { useEffect, useState, type ReactNode } from "react";

/** The selected rows by key: they stay selected if they are scrolled away or their page is evicted. */
export type Chosen<T> = ReadonlyMap<string, T>;

export interface Selection<T> {
  readonly chosen: Chosen<T>;
  /** Number of rows deselected by the last change of filters or scope; 0 if the selection has changed since. */
  readonly dropped: number;
  readonly choose: (chosen: Chosen<T>) => void;
}

/** The state of a list that its selection bar needs. */
export interface ListFacts<T> {
  /** The loaded rows and their keys. */
  readonly rows: readonly T[];
  readonly keys: readonly string[];
  readonly order: string | undefined;
  /** Total number of rows, if known. */
  readonly total: number | undefined;
  /** Whether the loaded rows include the start and the end of the list. */
  readonly begins: boolean;
  readonly ends: boolean;
  /** False while the rows are from the previous view, or a scan is not done. */
  readonly settled: boolean;
}

/** A selection, and the screen's own `SelectionBar` for it, loaded on demand. */
export interface ListSelection<T, M = T> extends Selection<M> {
  readonly bar: (list: ListFacts<M>) => ReactNode;
  /** The members of a row by key, if not the row itself: selecting the row selects all of them. */
  readonly members?: (row: T) => readonly (readonly [key: string, member: M])[];
}

export const NONE = new Map<string, never>();

/** The selections that were left, by the history entry of their list, the newest last; while this page is loaded. */
const left = new Map<string, { readonly of: string; readonly chosen: Chosen<never> }>();
const MAX_LEFT = 20;

/** Identifies the entry of the history, as the router writes it there. */
const entryKey = (): string => String((history.state as { __TSR_key?: unknown } | null)?.__TSR_key ?? "");

function leave(entry: string, of: string, chosen: Chosen<never>): void {
  // A page outside of the router has no entries to return to.
  if (entry === "") return;
  left.delete(entry);
  if (chosen.size > 0) left.set(entry, { of, chosen });
  const [oldest] = left.keys();
  if (left.size > MAX_LEFT && oldest !== undefined) left.delete(oldest);
}

/** The selection of this view, if Back or Forward led to the entry where it was left. */
function back<T>(list: string, view: string): Chosen<T> {
  const held = left.get(entryKey());
  return held?.of === `${list} ${view}` ? (held.chosen as Chosen<T>) : NONE;
}

/**
 * The selection of a list. `view`: filters and scope as text; a change clears the selection. `list`: names the list, to
 * find the selection again when Back returns to it.
 */
export function useSelection<T>(view: string, list: string): Selection<T> {
  const entry = entryKey();
  const [{ of, at, chosen, dropped }, set] = useState(() => ({
    of: view,
    at: entry,
    chosen: back<T>(list, view),
    dropped: 0,
  }));
  if (of !== view || at !== entry) {
    const again = back<T>(list, view);
    const kept = of === view ? chosen : NONE;
    // Within one view, an entry brings back a selection only where there is none: a drawer is an entry too.
    const next = kept.size > 0 ? kept : again;
    set({ of: view, at: entry, chosen: next, dropped: of === view || next.size > 0 ? dropped : chosen.size });
  }
  // After each render: the entry is another one once the position in the list was written to it.
  useEffect(() => leave(entryKey(), `${list} ${view}`, chosen as Chosen<never>));
  const choose = (next: Chosen<T>) => {
    // What was left at other entries is out of date: rows can have been deleted.
    for (const [key, { of: other }] of left) if (other === `${list} ${view}`) left.delete(key);
    set({ of: view, at: entry, chosen: next, dropped: 0 });
  };
  return { chosen, dropped, choose };
}
