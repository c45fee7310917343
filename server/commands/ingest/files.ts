import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { addAbortSignal } from "node:stream";

import { Failure } from "../../status";
import type { Database } from "../../platform/store/database";
import { ingest, readWhole, writeTogether } from "./ingest";
import type { ReadingOutcome, Reading, IngestTarget } from "./reading";

/** Receives progress while files are read. The size of standard input is `Infinity`. */
export interface IngestReporter {
  /** The file is committed, whatever happens to this process. */
  written(file: string, outcome: ReadingOutcome): void;
  /** Nothing of the file was written. */
  refused(file: string, error: unknown): void;
  /** Progress of a file that is written while it is read. */
  reading(
    file: string,
    at: { readonly bytes: number; readonly size: number; readonly records: number },
  ): void;
}

/** The run ended before all files were processed. */
export class Stopped extends Error {}

/** The files from the command line; those of a directory sorted by name. */
export async function filesOf(paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const one of paths) {
    const found = one === "-" ? undefined : await stat(one).catch(() => undefined);
    // A missing file is reported later, with the others.
    if (!found?.isDirectory()) files.push(one);
    else {
      const names = await readdir(one, { recursive: true });
      const read = names.filter((name) => /\.(?:json|jsonl|ndjson|csv)$/.test(name)).toSorted();
      for (const name of read) files.push(path.join(one, name));
    }
  }
  return files;
}

/**
 * Files up to this many bytes are read whole and written in a batch: a transaction for each would take fifty times as
 * long.
 */
const SMALL = 4_000_000;
/** Limits of one batch of small files. */
const MOST = { files: 500, bytes: 16_000_000 };

/** True if the file is not at fault: the next one would fail as well. */
const ofTheDatabase = (error: unknown): boolean => error instanceof Failure && error.name === "UNAVAILABLE";

/**
 * Writes each file completely or not at all, in order; continues after a rejected one. When `stop` is aborted, it
 * writes what it has already read, rolls back a file that is being streamed, and throws a Stopped.
 */
export async function ingestFiles(
  database: Database,
  files: readonly string[],
  target: IngestTarget,
  told: IngestReporter,
  stop: AbortSignal,
): Promise<void> {
  let batch: { file: string; reading: Reading }[] = [];
  let bytes = 0;
  let seen = 0;

  const write = async (some: typeof batch) => {
    const readings = some.map(({ reading }) => reading);
    await writeTogether(database, target, readings);
    for (const { file, reading } of some) told.written(file, reading.outcome);
  };
  const flush = async () => {
    const some = batch;
    [batch, bytes] = [[], 0];
    if (some.length === 0) return;
    try {
      await write(some);
    } catch (error) {
      if (ofTheDatabase(error)) throw error;
      // The database rejected one of them.
      for (const one of some)
        await write([one]).catch((reason: unknown) => {
          if (ofTheDatabase(reason)) throw reason;
          told.refused(one.file, reason);
        });
    }
  };
  const stream = async (file: string, size: number) => {
    const at = { bytes: 0, size, records: 0 };
    const checked = () => {
      stop.throwIfAborted();
      told.reading(file, at);
    };
    const chunks = async function* () {
      const source = addAbortSignal(stop, file === "-" ? process.stdin : createReadStream(file));
      for await (const chunk of source as AsyncIterable<Buffer>) {
        at.bytes += chunk.length;
        checked();
        yield chunk;
      }
    };
    const outcome = await ingest(database, chunks(), target, (records) => {
      at.records = records;
      checked();
    });
    told.written(file, outcome);
  };

  for (const file of files) {
    if (stop.aborted) break;
    seen += 1;
    try {
      const size = file === "-" ? Infinity : (await stat(file)).size;
      if (size > SMALL) {
        await flush();
        await stream(file, size);
      } else {
        batch.push({ file, reading: await readWhole(await readFile(file), target) });
        bytes += size;
      }
    } catch (error) {
      if (ofTheDatabase(error)) throw error;
      if (stop.aborted) seen -= 1;
      else told.refused(file, error);
    }
    if (batch.length >= MOST.files || bytes >= MOST.bytes) await flush();
  }
  await flush();
  if (seen < files.length) throw new Stopped();
}
