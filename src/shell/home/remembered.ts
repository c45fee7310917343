import { useMemo, useSyncExternalStore } from "react";
import * as z from "zod/mini";

import { thePast } from "~/api/client/moment";
import { readPreference, subscribePreferences, writePreference } from "~/ui/preferences";

import { LINES, type LineName, type CheckOutcome } from "./attention-lines";

/** Maximum number of scopes whose results are kept; the most recently checked ones. */
const KEPT = 12;
const PREFERENCE = "attention";
/** Key for the scope of everything that the user can see. */
const EVERYTHING = "all";

const outcome = z.object({
  at: z.number(),
  mark: z.optional(z.string()),
  read: z.number(),
  total: z.optional(z.number()),
  complete: z.boolean(),
  parts: z.array(
    z.object({
      count: z.number(),
      search: z.record(z.string(), z.string()),
      label: z.optional(z.string()),
    }),
  ),
});
const everything = z.record(z.string(), z.record(z.string(), outcome));

export type Outcomes = Readonly<Partial<Record<LineName, CheckOutcome>>>;
type All = Readonly<Record<string, Outcomes>>;

const NONE: All = {};
const stored = (): string | null => readPreference(PREFERENCE);

/** All results in what this browser stores for the user. Treats unreadable data as empty. */
function parse(text: string | null): All {
  try {
    const found = everything.safeParse(JSON.parse(text ?? "{}"));
    return found.success ? found.data : NONE;
  } catch {
    return NONE;
  }
}

const newest = (outcomes: Outcomes): number =>
  Math.max(0, ...LINES.map(({ name }) => outcomes[name]?.at ?? 0));

/** Stores the result of a check in this browser for this user. `group`: undefined for everything they can see. */
export function remember(group: string | undefined, name: LineName, found: CheckOutcome): void {
  // What needed attention then is not what needs it now.
  if (thePast()) return;
  const all = parse(stored());
  const scope = group ?? EVERYTHING;
  const next = { ...all, [scope]: { ...all[scope], [name]: found } };
  const kept = Object.entries(next)
    .toSorted(([, one], [, other]) => newest(other) - newest(one))
    .slice(0, KEPT);
  writePreference(PREFERENCE, JSON.stringify(Object.fromEntries(kept)));
}

const NOTHING: Outcomes = {};

/** Results of the last checks of a scope. */
export function useRemembered(group: string | undefined): Outcomes {
  const text = useSyncExternalStore(subscribePreferences, stored);
  return useMemo(() => parse(text), [text])[group ?? EVERYTHING] ?? NOTHING;
}
