import { setTimeout as sleep } from "node:timers/promises";

import type { Log } from "../../log";
import type { Pull } from "../../platform/registry/events";
import { now } from "../../platform/store/clock";
import type { Database } from "../../platform/store/database";
import { findNamed } from "./namespaces.table";
import {
  addPulls,
  claimEvents,
  forgetEvents,
  startUsage,
  sweepUsage,
  type CountedPulls,
} from "./registry-usage.table";

/** Milliseconds between two writes: what a kill can lose. */
const FLUSH_EVERY_MS = 60_000;
/** Notifications after which they are written at once, so that memory is bounded. */
const MOST_WAITING = 20_000;
/** Notifications of one transaction: others wait for the embedded database meanwhile, and have as long to themselves after it. */
const AT_ONCE = 500;
/** Milliseconds for which a notification is remembered: registries repeat it until it is taken. */
const REMEMBERED_MS = 3_600_000;

export interface PullCounter {
  add(pulls: readonly Pull[]): void;
  /** Writes what was added so far. */
  flush(): Promise<void>;
  /** Writes the rest. */
  stop(): Promise<void>;
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
 * Counts pulls without a write for each: they are added up in memory, and written once a minute and at the stop, with
 * the ids of their notifications, so that none counts twice. A kill loses at most a minute of them.
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
  let isStopping = false;

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

  const warn = (err: unknown) => log.warn({ err }, "pulls were not counted");
  let writing: Promise<void> = startUsage(database).catch(warn);
  async function writeTaken(): Promise<void> {
    const parts = [...inParts(folds.values())];
    folds = new Map();
    waiting = 0;
    let written = 0;
    try {
      for (; written < parts.length; written += 1) {
        const begin = performance.now();
        // oxlint-disable-next-line no-await-in-loop -- one after another, and others in between
        await write(parts[written] ?? []);
        // oxlint-disable-next-line no-await-in-loop
        if (!isStopping) await sleep(performance.now() - begin);
      }
    } catch (error) {
      // Kept for the next time, as far as memory allows.
      for (const fold of parts.slice(written).flat()) merge(fold, fold.first, fold.last, fold.ids);
      throw error;
    }
    await tidy();
  }
  function flush(): Promise<void> {
    writing = writing.catch(() => {}).then(writeTaken);
    return writing;
  }
  const safely = () => void flush().catch(warn);

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

  const timer = setInterval(safely, FLUSH_EVERY_MS).unref();
  return {
    add(pulls) {
      for (const pull of pulls) merge(pull, pull.at, pull.at, [pull.id]);
      if (waiting >= MOST_WAITING) safely();
    },
    flush,
    async stop() {
      clearInterval(timer);
      isStopping = true;
      await flush().catch(warn);
    },
  };
}
