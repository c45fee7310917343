import { useCallback, useMemo, useRef, type ReactNode } from "react";

import { RowCheckbox } from "./row-checkbox";
import { NONE, type ListFacts, type ListSelection } from "./use-selection";
import { useLatest } from "../use-latest";

/** True if all members of a row are selected, false if none, "mixed" if some. */
export type SelectedRows = boolean | "mixed";

interface Picks {
  /** Selects or deselects a row; with `range`, all loaded rows between it and the last one picked. */
  readonly pick: ((key: string, range: boolean) => void) | undefined;
  readonly pickedAt: (index: number) => SelectedRows;
  /** The checkbox for all rows. */
  readonly head: ReactNode;
  /** The selection bar. */
  readonly bar: ReactNode;
}

/** The checkboxes of a list. */
export function useRowSelection<T, M>(selection: ListSelection<T, M> | undefined, list: ListFacts<T>): Picks {
  const { rows, keys } = list;
  const { chosen = NONE, dropped = 0, choose, members } = selection ?? {};
  // Without `members`, a row is its own member, and T is M.
  const membersAt = (index: number) =>
    members?.(rows[index] as T) ?? [[keys[index] ?? "", rows[index] as unknown as M] as const];
  const pickedAt = (index: number): SelectedRows => {
    if (!members) return chosen.has(keys[index] ?? "");
    const all = membersAt(index);
    const some = all.filter(([key]) => chosen.has(key)).length;
    return some === all.length || (some > 0 && "mixed");
  };
  const last = useRef("");
  const picked = (key: string, range: boolean) => {
    const index = keys.indexOf(key);
    const other = range ? keys.indexOf(last.current) : -1;
    const from = other < 0 ? index : Math.min(index, other);
    const out = pickedAt(index) === true;
    const next = new Map(chosen);
    for (let at = from; at <= Math.max(index, other); at += 1)
      for (const [each, member] of membersAt(at))
        if (out) next.delete(each);
        else next.set(each, member);
    last.current = key;
    choose?.(next);
  };
  // Stable across renders: selecting a row must not rerender the others.
  const latest = useLatest(picked);
  const pick = useCallback((key: string, range: boolean) => latest.current(key, range), [latest]);
  const barred = chosen.size + dropped > 0;
  // Stable while the rows are the same: the bar looks for vanished rows only in new arrays.
  const flat = useMemo(() => flatten(barred ? rows : [], members), [barred, rows, members]);
  const selectable = flat?.keys ?? keys;
  const all = useMemo(
    () => selectable.length > 0 && selectable.every((key) => chosen.has(key)),
    [selectable, chosen],
  );
  if (!selection) return { pick: undefined, pickedAt: () => false, head: undefined, bar: undefined };
  const pickAll = () => {
    const next = new Map(chosen);
    for (const at of keys.keys()) for (const [key, member] of membersAt(at)) next.set(key, member);
    choose?.(all ? NONE : next);
  };
  return {
    pick,
    pickedAt,
    head: (
      <RowCheckbox
        role="columnheader"
        label="Select all loaded rows"
        checked={all}
        mixed={chosen.size > 0 && !all}
        idle={selectable.length === 0}
        onPick={pickAll}
      />
    ),
    // `total` counts rows; the number of members is unknown until all rows are loaded.
    bar: barred
      ? selection.bar(
          flat ? { ...list, ...flat, total: undefined } : (list as ListFacts<unknown> as ListFacts<M>),
        )
      : undefined,
  };
}

/** The members of rows, in order; undefined if rows are their own members. */
function flatten<T, M>(
  rows: readonly T[],
  members: ListSelection<T, M>["members"],
): { rows: readonly M[]; keys: readonly string[] } | undefined {
  if (!members) return undefined;
  const all = rows.flatMap((row) => [...members(row)]);
  return { rows: all.map(([, member]) => member), keys: all.map(([key]) => key) };
}
