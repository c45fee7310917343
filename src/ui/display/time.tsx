import { createContext, use } from "react";

import { useNow } from "../clock";
import { Dash } from "./dash";
import { exactTime, readTime, relativeTime } from "./time-text";
import classes from "./time.module.css";

interface TimeProps {
  /** RFC 3339, as on the wire. */
  value: string | undefined | null;
  /** Meaning of an absent time for a screen reader ("never"); shown as a dash. */
  absent?: string;
}

/** True in the rows of a list: a row is one Tab stop, and its menu another. */
export const InRow = createContext(false);

/** A relative time that stays current; shows the exact time in UTC on hover and, outside of lists, on focus. */
export function Time({ value, absent = "none" }: TimeProps) {
  const now = useNow(30);
  const inRow = use(InRow);
  const date = readTime(value);
  if (!date) return <Dash label={absent} />;
  return (
    <time
      className={classes["time"]}
      dateTime={date.toISOString()}
      data-tip={exactTime(date)}
      tabIndex={inRow ? undefined : 0}
    >
      {relativeTime(date, now)}
    </time>
  );
}
