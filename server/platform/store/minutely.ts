import { setTimeout as sleep } from "node:timers/promises";

import type { Log } from "../../log";

/** Milliseconds between two writes: what a kill can lose. */
const EVERY_MS = 60_000;

export interface Minutely {
  /** Writes what was added so far. */
  flush(): Promise<void>;
  /** The same, without waiting for it: a failure is logged. */
  soon(): void;
  /** Writes the rest. */
  stop(): Promise<void>;
}

/**
 * Writes once a minute, and at the stop, what is added up in memory: not a write for each request, and a kill loses at
 * most a minute.
 */
export function everyMinute<Part>({
  begin,
  take,
  write,
  keep,
  tidy,
  log,
  failed,
}: {
  /** Runs once, before anything is written. */
  readonly begin: () => Promise<void>;
  /** Empties the memory. */
  readonly take: () => readonly Part[];
  /** One transaction: others wait for the embedded database meanwhile, and have as long to themselves after it. */
  readonly write: (part: Part) => Promise<void>;
  /** Takes back what could not be written, as far as memory allows. */
  readonly keep: (parts: readonly Part[]) => void;
  /** Runs after each write. */
  readonly tidy: () => Promise<void>;
  readonly log: Pick<Log, "warn">;
  /** For the log. */
  readonly failed: string;
}): Minutely {
  const warn = (err: unknown) => log.warn({ err }, failed);
  let isStopping = false;
  let writing: Promise<void> = begin().catch(warn);

  async function writeTaken(): Promise<void> {
    const parts = take();
    let written = 0;
    try {
      for (; written < parts.length; written += 1) {
        const from = performance.now();
        // oxlint-disable-next-line no-await-in-loop -- one after another, and others in between
        await write(parts[written] as Part);
        // oxlint-disable-next-line no-await-in-loop
        if (!isStopping) await sleep(performance.now() - from);
      }
    } catch (error) {
      keep(parts.slice(written));
      throw error;
    }
    await tidy();
  }
  function flush(): Promise<void> {
    writing = writing.catch(() => {}).then(writeTaken);
    return writing;
  }
  const soon = () => void flush().catch(warn);
  const timer = setInterval(soon, EVERY_MS).unref();
  return {
    flush,
    soon,
    async stop() {
      clearInterval(timer);
      isStopping = true;
      await flush().catch(warn);
    },
  };
}
