import { createContext, use, useSyncExternalStore } from "react";

import { useNow } from "../clock";
import { Dash } from "./dash";
import { readPreference, subscribePreferences } from "../preferences";
import { exactTime, LOCAL_TIMES, readTime, relativeTime } from "./time-text";
import classes from "./time.module.css";

interface TimeProps {
  /** RFC 3339, as on the wire. */
  value: string | undefined | null;
  /** Meaning of an absent time for a screen reader ("never"); shown as a dash. */
  absent?: string;
}

/** True in the facts of a record: they also tell the exact time, for those who can't hover. */
export const ExactTimes = createContext(false);

/** A relative time that stays current, with the exact time on hover. Never a Tab stop. */
export function Time({ value, absent = "none" }: TimeProps) {
  const now = useNow(30);
  const exact = use(ExactTimes);
  useSyncExternalStore(subscribePreferences, () => readPreference(LOCAL_TIMES));
  const date = readTime(value);
  if (!date) return <Dash label={absent} />;
  return (
    <>
      <time className={classes["time"]} dateTime={date.toISOString()} data-tip={exactTime(date)}>
        {relativeTime(date, now)}
      </time>
      {exact ? (
        <span className={classes["exact"]} data-aside>
          {" "}
          {exactTime(date)}
        </span>
      ) : null}
    </>
  );
}
