import { useSyncExternalStore, type ReactNode } from "react";

import { FilterToggle } from "../controls/filter-toggle";
import { readPreference, subscribePreferences, writePreference } from "../preferences";
import { LOCAL_TIMES } from "./time-text";

/** A switch to see exact times in the time zone of this browser, instead of UTC. */
export function LocalTimesSwitch(): ReactNode {
  const local = useSyncExternalStore(subscribePreferences, () => readPreference(LOCAL_TIMES) !== null);
  return (
    <div>
      <FilterToggle
        label="Exact times in my time zone, not UTC"
        checked={local}
        onChange={(checked) => writePreference(LOCAL_TIMES, checked ? "yes" : null)}
      />
    </div>
  );
}
