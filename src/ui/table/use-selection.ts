import { useState, type ReactNode } from "react";

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

/** The selection of a list. `view`: filters and scope as text; a change clears the selection. */
export function useSelection<T>(view: string): Selection<T> {
  const [{ of, chosen, dropped }, set] = useState({ of: view, chosen: NONE as Chosen<T>, dropped: 0 });
  if (of !== view) set({ of: view, chosen: NONE, dropped: chosen.size });
  return { chosen, dropped, choose: (next) => set({ of: view, chosen: next, dropped: 0 }) };
}
