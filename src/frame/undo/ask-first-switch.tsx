import { useSyncExternalStore, type ReactNode } from "react";

import { FilterToggle } from "~/ui/controls/filter-toggle";
import { readPreference, subscribePreferences, writePreference } from "~/ui/preferences";

import { ASK_FIRST } from "./ask-first";

/** A switch to confirm every deletion, instead of a few seconds to undo it. */
export function AskFirstSwitch(): ReactNode {
  const asks = useSyncExternalStore(subscribePreferences, () => readPreference(ASK_FIRST) !== null);
  return (
    <div>
      <FilterToggle
        label="Ask before every deletion"
        checked={asks}
        onChange={(checked) => writePreference(ASK_FIRST, checked ? "yes" : null)}
      />
    </div>
  );
}
