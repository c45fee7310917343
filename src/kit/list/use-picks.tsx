import { useCallback, useMemo, useRef, type ReactNode } from "react";

import { Pick } from "./pick";
import { NONE, type ListFacts, type ListSelection } from "./use-selection";

interface Picks {
  /** Selects a row or takes it out; with `range`, all loaded rows between it and the one picked last. */
  readonly pick: ((key: string, range: boolean) => void) | undefined;
  readonly isPicked: (key: string) => boolean;
  /** The checkbox of all rows. */
  readonly head: ReactNode;
  /** How many are selected and what can be done with them. */
  readonly bar: ReactNode;
}

/** The checkboxes of a list. */
export function usePicks<T>(selection: ListSelection<T> | undefined, list: ListFacts<T>): Picks {
  const { rows, keys } = list;
  const { chosen = NONE, dropped = 0, choose } = selection ?? {};
  const last = useRef("");
  const picked = (key: string, range: boolean) => {
    const index = keys.indexOf(key);
    const other = range ? keys.indexOf(last.current) : -1;
    const from = other < 0 ? index : Math.min(index, other);
    const next = new Map(chosen);
    for (const [step, each] of keys.slice(from, Math.max(index, other) + 1).entries())
      if (chosen.has(key)) next.delete(each);
      else next.set(each, rows[from + step] as T);
    last.current = key;
    choose?.(next);
  };
  // The same function at each render: a row is not drawn again because another one was selected.
  const latest = useRef(picked);
  latest.current = picked;
  const pick = useCallback((key: string, range: boolean) => latest.current(key, range), []);
  const all = useMemo(() => keys.length > 0 && keys.every((key) => chosen.has(key)), [keys, chosen]);
  if (!selection) return { pick: undefined, isPicked: () => false, head: undefined, bar: undefined };
  const pickAll = () =>
    choose?.(all ? NONE : new Map([...chosen, ...keys.map((key, at) => [key, rows[at] as T] as const)]));
  return {
    pick,
    isPicked: (key) => chosen.has(key),
    head: (
      <Pick label="Select all loaded rows" checked={all} mixed={chosen.size > 0 && !all} onPick={pickAll} />
    ),
    bar: chosen.size + dropped > 0 ? selection.bar(list) : undefined,
  };
}
