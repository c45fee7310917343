import { setTimeout as sleep } from "node:timers/promises";

import { createSteps } from "../../background";
import type { Log } from "../../log";
import type { Database } from "../../platform/store/database";
import type { BackgroundTurns } from "../../turns";
import { fillRanks, isUnranked } from "./advisory-ranks.table";

/** Milliseconds until what failed, or was being written by somebody else, is looked at again. */
const AGAIN_MS = 60_000;
/** Milliseconds of a rest between transactions, at most. */
const LONGEST_REST_MS = 1_000;

interface Options {
  readonly database: Database;
  readonly log: Log;
  readonly turns: BackgroundTurns;
}

/** Fills in, beside requests, what advisories of an earlier version are sorted by; ends when nothing is left. */
export function startRanking({ database, log, turns }: Options): { stop(): Promise<void> } {
  const run = createSteps(log);
  const over = new AbortController();
  async function rank(): Promise<void> {
    await fillRanks(database, async (work) => {
      if (over.signal.aborted) return false;
      const begun = performance.now();
      const last = await turns("advisories", work);
      // Others have as long to themselves.
      await sleep(Math.min(performance.now() - begun, LONGEST_REST_MS));
      return last;
    });
  }
  async function all(): Promise<void> {
    while (!over.signal.aborted) {
      const isDone = await run("advisory-ranks", rank);
      if (isDone && !(await isUnranked(database))) return;
      await sleep(AGAIN_MS, undefined, { signal: over.signal, ref: false }).catch(() => {});
    }
  }
  const running = all().catch((err: unknown) => log.warn({ err }, "advisories are not sorted yet"));
  return {
    async stop() {
      over.abort();
      await running;
    },
  };
}
