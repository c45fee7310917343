import { useState, type ReactNode } from "react";

/** Rows that are selected, by their key: they stay selected when they are scrolled away or their page is let go. */
export type Chosen<T> = ReadonlyMap<string, T>;

export interface Selection<T> {
  readonly chosen: Chosen<T>;
  /** How many were selected when filters or scope changed, and are no longer; 0: that is not what happened last. */
  readonly dropped: number;
  readonly choose: (chosen: Chosen<T>) => void;
}

/** What a list tells of itself to what stands beneath it while rows are selected. */
export interface ListFacts<T> {
  /** The loaded rows and their keys. */
  readonly rows: readonly T[];
  readonly keys: readonly string[];
  readonly order: string | undefined;
  /** How many rows there are in all, where that is known. */
  readonly total: number | undefined;
  /** Whether the loaded rows begin and end with the list itself. */
  readonly begins: boolean;
  readonly ends: boolean;
  /** False while the rows are those of the view before. */
  readonly settled: boolean;
}

/** A selection, and what can be done with it: a `SelectionBar` of the screen's own, loaded on demand. */
export interface ListSelection<T, M = T> extends Selection<M> {
  readonly bar: (list: ListFacts<M>) => ReactNode;
  /** What a row stands for, by key, where that is not the row itself: the row selects all of it. */
  readonly members?: (row: T) => readonly (readonly [key: string, member: M])[];
}

export const NONE = new Map<string, never>();

/** The selection of a list. `view`: filters and scope as text; another view, and nothing is selected. */
export function useSelection<T>(view: string): Selection<T> {
  const [{ of, chosen, dropped }, set] = useState({ of: view, chosen: NONE as Chosen<T>, dropped: 0 });
  if (of !== view) set({ of: view, chosen: NONE, dropped: chosen.size });
  return { chosen, dropped, choose: (next) => set({ of: view, chosen: next, dropped: 0 }) };
}
