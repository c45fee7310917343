import type { Log } from "../../log";
import type { Pull } from "../../platform/registry/events";
import { now } from "../../platform/store/clock";
import type { Database } from "../../platform/store/database";
import { everyMinute, type Minutely } from "../../platform/store/minutely";
import { findNamed } from "./namespaces.table";
import {
  addPulls,
  claimEvents,
  forgetEvents,
  startUsage,
  sweepUsage,
  type CountedPulls,
} from "./registry-usage.table";

/** Notifications after which they are written at once, so that memory is bounded. */
const MOST_WAITING = 20_000;
/** Notifications of one transaction. */
const AT_ONCE = 500;
/** Milliseconds for which a notification is remembered: registries repeat it until it is taken. */
const REMEMBERED_MS = 3_600_000;

export interface PullCounter extends Pick<Minutely, "flush" | "stop"> {
  add(pulls: readonly Pull[]): void;
}

/** Pulls that differ only in their time, within a day. */
interface Fold extends Omit<Pull, "id" | "at"> {
  first: Date;
  last: Date;
  readonly ids: string[];
}

/** Parts with so many notifications at most, in order. */
function* inParts(folds: Iterable<Fold>): Generator<Fold[]> {
  let part: Fold[] = [];
  let room = AT_ONCE;
  for (const fold of folds)
    for (let from = 0; from < fold.ids.length;) {
      const ids = fold.ids.slice(from, from + room);
      part.push({ ...fold, ids });
      from += ids.length;
      room -= ids.length;
      if (room > 0) continue;
      yield part;
      [part, room] = [[], AT_ONCE];
    }
  if (part.length > 0) yield part;
}

const DAY_MS = 86_400_000;
const foldKey = (of: Omit<Pull, "id" | "at">, at: Date): string =>
  `${of.namespace}/${of.repo}:${of.tag ?? ""}@${of.digest}\n${of.actor}\n${of.isDownload}${Math.floor(at.getTime() / DAY_MS)}`;

/**
 * Counts pulls without a write for each. They are written with the ids of their notifications, so that none counts twice.
 */
export function startPullCounter({
  database,
  log,
  days,
}: {
  readonly database: Database;
  readonly log: Pick<Log, "warn">;
  /** For which pulls are kept. */
  readonly days: number;
}): PullCounter {
  let folds = new Map<string, Fold>();
  let waiting = 0;
  let sweptAt = -Infinity;

  async function write(taken: readonly Fold[]): Promise<void> {
    const named = await findNamed(database, taken);
    const known = named.flatMap(({ repos: [uid, another], ...fold }) =>
      uid === undefined || another !== undefined ? [] : [{ ...fold, uid }],
    );
    await database.transaction(async (queries) => {
      const fresh = await claimEvents(queries, [...new Set(known.flatMap(({ ids }) => ids))]);
      await addPulls(
        queries,
        known.flatMap(({ uid, tag, digest, actor, isDownload, first, last, ids }): CountedPulls[] => {
          const count = new Set(ids.filter((id) => fresh.has(id))).size;
          const each = { asked: isDownload ? 0 : count, downloaded: isDownload ? count : 0 };
          return count === 0
            ? []
            : [{ repo: uid, tag: tag ?? null, digest, identity: actor, first, last, ...each }];
        }),
      );
    });
  }

  async function tidy(): Promise<void> {
    if (performance.now() - sweptAt < REMEMBERED_MS) return;
    sweptAt = performance.now();
    await forgetEvents(database, new Date(now().getTime() - REMEMBERED_MS));
    await sweepUsage(database, days);
  }

  function merge(of: Omit<Pull, "id" | "at">, first: Date, last: Date, ids: readonly string[]): void {
    if (waiting + ids.length > 2 * MOST_WAITING) return;
    waiting += ids.length;
    const key = foldKey(of, last);
    const known = folds.get(key);
    if (!known) {
      const { namespace, repo, tag, digest, actor, isDownload } = of;
      folds.set(key, { namespace, repo, tag, digest, actor, isDownload, first, last, ids: [...ids] });
      return;
    }
    known.ids.push(...ids);
    if (first < known.first) known.first = first;
    if (last > known.last) known.last = last;
  }

  const minutely = everyMinute({
    begin: () => startUsage(database),
    take() {
      const parts = [...inParts(folds.values())];
      folds = new Map();
      waiting = 0;
      return parts;
    },
    write,
    keep(parts) {
      for (const fold of parts.flat()) merge(fold, fold.first, fold.last, fold.ids);
    },
    tidy,
    log,
    failed: "pulls were not counted",
  });
  return {
    add(pulls) {
      for (const pull of pulls) merge(pull, pull.at, pull.at, [pull.id]);
      if (waiting >= MOST_WAITING) minutely.soon();
    },
    flush: minutely.flush,
    stop: minutely.stop,
  };
}
