import { createInterface } from "node:readline";
import { Readable } from "node:stream";

import { appendEntries, type PlacedDraft } from "../../platform/store/audit";
import { planByKeys } from "../../platform/store/batches";
import type { Database, Queries } from "../../platform/store/database";
import { lockSchema } from "../../platform/store/migrate";
import {
  writeAdvisories,
  writeMetadata,
  writePackages,
} from "../../domains/vulnerabilities/advisory-writes.table";
import { writeVersions } from "../../domains/registry/artifact-writes.table";
import { writeEpss, writeKev } from "../../domains/vulnerabilities/exploitation-writes.table";
import { Reading, type ReadingOutcome, type IngestTarget } from "./reading";
import { BadInput, jsonValues, type FoundValue } from "./json-values";

/** The first line of a file of EPSS: `#model_version:v2025.03.14,score_date:2026-11-23T00:00:00+0000`. */
const MODEL = /score_date:(\d{4}-\d{2}-\d{2})/;
const HEAD = "cve,epss,percentile";

/** True if a file is one of EPSS: JSON begins with neither. */
const isEpss = (text: string): boolean => /^\uFEFF?(?:#|cve,)/.test(text);

/** The records of a file of any size: JSON, or the CSV of EPSS. */
async function* valuesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<FoundValue> {
  const source = chunks[Symbol.asyncIterator]();
  const first = await source.next();
  const rest = async function* () {
    for (let next = first; next.done !== true; next = await source.next()) yield next.value;
  };
  const isCsv = first.done !== true && isEpss(first.value.subarray(0, 8).toString());
  yield* isCsv ? epssValues(rest()) : jsonValues(rest());
}

async function* epssValues(chunks: AsyncIterable<Buffer>): AsyncGenerator<FoundValue> {
  let day: string | undefined;
  let line = 0;
  let isHeadRead = false;
  for await (const text of createInterface({ input: Readable.from(chunks), crlfDelay: Infinity })) {
    line += 1;
    const where = `line ${line}`;
    if (text === "") continue;
    if (text.startsWith("#")) day ??= MODEL.exec(text)?.[1];
    else if (!isHeadRead) {
      if (!text.startsWith(HEAD)) throw new BadInput(`${where} is not ${HEAD}, the first line of EPSS`);
      isHeadRead = true;
    } else {
      const [cve, epss, percentile] = text.split(",");
      yield { value: { cve, epss, percentile, day }, where };
    }
  }
}

/** Records per round of statements, fewer if they are large. */
const BATCH = 500;
const BATCH_BYTES = 8_000_000;

/** Arbitrary lock number, the same in every process of this program: ingests run one after the other. */
const LOCK = 7_402_223;

async function writeDrafts(
  queries: Queries,
  target: IngestTarget,
  readings: readonly Reading[],
): Promise<void> {
  const metadata = readings.flatMap((one) => one.metadata);
  const advisories = readings.flatMap((one) => one.advisories);
  const versions = readings.flatMap((one) => one.versions);
  if (metadata.length > 0) await writeMetadata(queries, metadata);
  // A single record can contain the database of a whole distribution.
  for (let from = 0; from < advisories.length; from += BATCH)
    await writeAdvisories(queries, target.group ?? "", advisories.slice(from, from + BATCH));
  if (versions.length > 0) await writeVersions(queries, versions);
  const [epss, kev] = [readings.flatMap((one) => one.epss), readings.flatMap((one) => one.kev)];
  if (epss.length > 0) await writeEpss(queries, epss);
  if (kev.length > 0) await writeKev(queries, kev);
}

/** Writes the packages file by file: each replaces an earlier one's packages of the image. */
async function writeAll(queries: Queries, target: IngestTarget, readings: readonly Reading[]): Promise<void> {
  await writeDrafts(queries, target, readings);
  for (const { packages } of readings)
    if (packages.length > 0) await writePackages(queries, target.digest ?? "", packages);
}

/** The entry of an import in the audit log: nobody is signed in, and the records are too many to name. */
const entryOf = ({ group }: IngestTarget): PlacedDraft => ({
  group,
  draft: {
    outcome: "OUTCOME_DONE",
    action: "ingest",
    ...(group !== undefined && { record: { kind: "groups", uid: group, group } }),
    request: { transport: "command" },
  },
});

const inTurn = (
  database: Database,
  target: IngestTarget,
  work: (queries: Queries) => Promise<void>,
): Promise<void> =>
  database.transaction(async (queries) => {
    await lockSchema(queries, LOCK);
    await planByKeys(queries);
    await work(queries);
    await appendEntries(queries, [entryOf(target)]);
  });

/**
 * Writes a file of any size while reading it, in one transaction. Idempotent. Throws a BadInput with the position where
 * it stopped, and rethrows errors of `progress`, which is called with each record.
 */
export async function ingest(
  database: Database,
  chunks: AsyncIterable<Buffer>,
  target: IngestTarget,
  progress: (records: number) => void = () => {},
): Promise<ReadingOutcome> {
  const reading = new Reading(target);
  await inTurn(database, target, async (queries) => {
    let records = 0;
    let bytes = 0;
    const counted = async function* () {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        yield chunk;
      }
    };
    for await (const { value, where } of valuesOf(counted())) {
      reading.take(value, where);
      progress((records += 1));
      const { advisories, metadata, versions, epss } = reading;
      const read = advisories.length + metadata.length + versions.length + epss.length;
      if (read < BATCH && bytes < BATCH_BYTES) continue;
      await writeDrafts(queries, target, [reading]);
      reading.clear();
      bytes = 0;
    }
    reading.finish();
    await writeAll(queries, target, [reading]);
  });
  return reading.outcome;
}

/** Reads a file from memory without writing anything. Throws like `ingest`. */
export async function readWhole(bytes: Buffer, target: IngestTarget): Promise<Reading> {
  const reading = new Reading(target);
  const chunks = async function* () {
    yield bytes;
  };
  for await (const { value, where } of valuesOf(chunks())) reading.take(value, where);
  reading.finish();
  return reading;
}

/** Writes files as if one after the other, all in one transaction. */
export const writeTogether = (
  database: Database,
  target: IngestTarget,
  readings: readonly Reading[],
): Promise<void> => inTurn(database, target, (queries) => writeAll(queries, target, readings));
