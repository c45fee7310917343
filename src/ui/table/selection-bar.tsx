import { Button } from "@mantine/core";
import { useEffect, useRef, useState, type ReactNode } from "react";

import { announce } from "../feedback/announcer";
import "../controls/button-styles";
import { announceRetry, useSecondsLeft, Wait, waitText } from "../feedback/countdown";
import { DisabledReason } from "../overlay/disabled-reason";
import { errorFacts, type ErrorFacts } from "../feedback/error-facts";
import { formatCount, formatQuantity } from "../display/numbers";
import classes from "./selection-bar.module.css";
import { NONE, type Chosen, type ListFacts, type Selection } from "./use-selection";
import { vanished } from "./vanished";
import { useLatest } from "../use-latest";

/** Progress of reading all rows. */
export interface ReadSoFar {
  readonly read: number;
  readonly total: number | undefined;
}

interface SelectionBarProps<T> extends Selection<T> {
  list: ListFacts<T>;
  /** Plural, in words: "identities". */
  what: string;
  /** Buttons for actions on the selected rows. */
  actions: ReactNode;
  /** Reads every row of the view, loaded or not; rejects if it is aborted or fails. */
  readAll?: (signal: AbortSignal, tell: (so: ReadSoFar) => void) => Promise<Chosen<T>>;
}

/** Shown below a list with selected rows: their number, actions on them, and how to select all. */
export function SelectionBar<T>(props: SelectionBarProps<T>) {
  const { chosen, dropped, choose, what, actions, readAll } = props;
  const { rows, keys, total, begins, ends, settled } = props.list;
  const { reading, trouble, read, stop } = useReadAll(props);
  // No automatic retry: by then, the selection can have changed.
  const wait = useSecondsLeft(trouble?.retryAt, announceRetry);
  useVanishing(props);

  const text = `${formatCount(chosen.size)} selected`;
  const lost = `The view changed, so ${formatQuantity(dropped, "row is", "rows are")} no longer selected.`;
  useEffect(() => announce(dropped > 0 ? lost : text), [dropped, lost, text]);
  if (dropped > 0)
    return (
      <div className={classes["bar"]} role="group" aria-label="Selection">
        <span className={classes["text"]}>{lost}</span>
        <Button variant="default" onClick={() => choose(NONE)}>
          Dismiss
        </Button>
      </div>
    );
  const clear = () => {
    choose(NONE);
    announce("Nothing selected");
  };
  const whole = begins && ends && settled;
  const all = () =>
    whole ? choose(new Map(keys.map((key, index) => [key, rows[index] as T]))) : void read();
  const count = whole ? keys.length : total;
  const rest = (whole || readAll) && (count === undefined || count > chosen.size);
  return (
    <div className={classes["bar"]} role="group" aria-label="Selection">
      <strong className={classes["text"]}>{text}</strong>
      {actions}
      {reading ? (
        <>
          <span className={classes["text"]}>
            Reading all {what}: {formatCount(reading.read)}
            {reading.total === undefined ? "" : ` of ${formatCount(reading.total)}`}
          </span>
          <progress
            className={classes["progress"]}
            aria-label={`Reading all ${what}`}
            max={reading.total === undefined ? undefined : Math.max(reading.total, 1)}
            value={reading.total === undefined ? undefined : reading.read}
          />
          <Button variant="default" onClick={stop}>
            Stop
          </Button>
        </>
      ) : rest ? (
        <DisabledReason
          reason={whole || wait === 0 ? undefined : `Rate limited. Try again in ${waitText(wait)}.`}
        >
          <Button variant="default" onClick={all}>
            {count === undefined ? "Select all that match" : `Select all ${formatCount(count)} that match`}
          </Button>
        </DisabledReason>
      ) : null}
      <Button variant="default" onClick={clear}>
        Clear
      </Button>
      {trouble === undefined ? null : (
        <span role="alert" className={classes["trouble"]}>
          Couldn't read all {what}. The selection hasn't changed. {trouble.message}
          {wait > 0 ? (
            <>
              {" "}
              Rate limited. Try again in <Wait seconds={wait} />.
            </>
          ) : null}
        </span>
      )}
    </div>
  );
}

/** Reads all rows, and selects them; selects none if that is stopped or fails. */
function useReadAll<T>({ choose, readAll, what }: SelectionBarProps<T>) {
  const [reading, setReading] = useState<ReadSoFar>();
  const [trouble, setTrouble] = useState<ErrorFacts>();
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(), []);
  const latest = useLatest(choose);
  const read = async () => {
    if (!readAll) return;
    const own = new AbortController();
    current.current = own;
    setTrouble(undefined);
    setReading({ read: 0, total: undefined });
    announce(`Reading all ${what}`);
    try {
      const all = await readAll(own.signal, (so) => !own.signal.aborted && setReading(so));
      if (!own.signal.aborted) latest.current(all);
    } catch (error) {
      if (!own.signal.aborted) setTrouble(errorFacts(error));
    } finally {
      if (current.current === own) setReading(undefined);
    }
  };
  const stop = () => {
    current.current?.abort();
    setReading(undefined);
    announce("Stopped. The selection hasn't changed.");
  };
  return { reading, trouble, read, stop };
}

/** Removes vanished rows from the selection. */
function useVanishing<T>({ chosen, choose, list }: SelectionBarProps<T>): void {
  const { keys, order, begins, ends, settled } = list;
  const before = useRef({ keys, order, begins });
  const looked = useRef(false);
  useEffect(() => {
    if (!settled) return;
    if (!looked.current && begins && ends) {
      looked.current = true;
      // Selected before the user went to a page and back: it may have been deleted there.
      const held = new Set(keys);
      const there = new Map([...chosen].filter(([key]) => held.has(key)));
      if (there.size < chosen.size) return choose(there);
    }
    const { current: last } = before;
    before.current = { keys, order, begins };
    if (last.keys === keys || last.order !== order) return;
    const gone = vanished(last.keys, new Set(keys), { begins: begins && last.begins, ends });
    if (!gone.some((key) => chosen.has(key))) return;
    const next = new Map(chosen);
    for (const key of gone) next.delete(key);
    choose(next);
  });
}
