import type { Log } from "../../log";
import type { Caller } from "../../platform/access/caller";
import { now } from "../../platform/store/clock";
import type { Database } from "../../platform/store/database";
import { everyMinute, type Minutely } from "../../platform/store/minutely";
import { addUse, startUse, sweepUse, type CountedUse } from "./capability-use.table";

/** Counts after which they are written at once, so that memory is bounded: about 10 MB. */
const MOST_WAITING = 20_000;
/** Counts of one transaction. */
const AT_ONCE = 1_000;
const DAY_MS = 86_400_000;

export interface UseCounter extends Pick<Minutely, "flush" | "stop"> {
  /** Counts what a call has needed, once it is answered. */
  add(caller: Pick<Caller, "identities" | "uses">): void;
}

interface Fold extends CountedUse {
  calls: number;
  last: Date;
}

/** Counts which capabilities identities use, where, by day (docs/decisions/access.md). */
export function startUseCounter({
  database,
  log,
  days,
}: {
  readonly database: Database;
  readonly log: Pick<Log, "warn">;
  /** For which use is kept. */
  readonly days: number;
}): UseCounter {
  let folds = new Map<string, Fold>();
  let sweptAt = -Infinity;

  const minutely = everyMinute<readonly Fold[]>({
    begin: () => startUse(database),
    take() {
      const all = [...folds.values()];
      folds = new Map();
      const parts = Math.ceil(all.length / AT_ONCE);
      return Array.from({ length: parts }, (_, part) => all.slice(part * AT_ONCE, (part + 1) * AT_ONCE));
    },
    write: (part) => database.transaction((queries) => addUse(queries, part)),
    keep(parts) {
      for (const one of parts.flat()) merge(one);
    },
    async tidy() {
      if (performance.now() - sweptAt < DAY_MS) return;
      await sweepUse(database, days);
      sweptAt = performance.now();
    },
    log,
    failed: "use of capabilities was not counted",
  });

  function merge({ identity, capability, place, shared, calls, first, last }: CountedUse): void {
    const key = `${identity} ${capability} ${place} ${Math.floor(last.getTime() / DAY_MS)}`;
    const known = folds.get(key);
    if (known) {
      known.calls += calls;
      if (last > known.last) known.last = last;
    } else if (folds.size < 2 * MOST_WAITING)
      folds.set(key, { identity, capability, place, shared, calls, first, last });
    if (folds.size === MOST_WAITING && !known) minutely.soon();
  }

  return {
    add({ identities, uses = [] }) {
      const at = now();
      const shared = identities.length > 1;
      // One call can ask for the same several times.
      const seen = new Set<string>();
      for (const [capability, place] of uses) {
        const one = `${capability} ${place}`;
        if (seen.has(one)) continue;
        seen.add(one);
        for (const identity of identities)
          merge({ identity, capability, place, shared, calls: 1, first: at, last: at });
      }
    },
    flush: minutely.flush,
    stop: minutely.stop,
  };
}
