import { by } from "platform-contract/order";

import { COLLECTIONS, FORMAT, perKind, VERSION, type Snapshot } from "./format";

/** Sorts object keys recursively, so that equal records serialize to equal text. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const sorted = Object.entries(value).toSorted(by(([key]) => key));
  return Object.fromEntries(sorted.map(([key, inner]) => [key, inOrder(inner)]));
}

/** Number of rows to serialize per task, to keep the page responsive. */
const AT_ONCE = 1000;

/** The two lines before the compared part: they have the time. */
const TIME_LINES = /^\{\n {2}"time": "[^"\n]*",\n/;

export interface SnapshotBytes {
  /** The whole file. */
  readonly file: Blob;
  /** The part that is byte-equal as long as nothing changes: the file from its third line on. */
  readonly compared: Blob;
}

/** The compared part of a file that was opened; undefined if its lines aren't as `snapshotBytes` writes them. */
export async function comparedPart(file: Blob): Promise<Blob | undefined> {
  const begins = TIME_LINES.exec(await file.slice(0, 200).text());
  return begins ? file.slice(new Blob([begins[0]]).size) : undefined;
}

/**
 * The exact bytes of a snapshot: the time, a header, then each kind sorted by uid, one record per line. Yields to the
 * event loop between chunks.
 */
export async function snapshotBytes(snapshot: Snapshot, signal: AbortSignal): Promise<SnapshotBytes> {
  const { scope, time, service, records, missing } = snapshot;
  const why = COLLECTIONS.flatMap((kind) => (missing[kind] ? [{ kind, why: missing[kind] }] : []));
  const facts = {
    format: FORMAT,
    version: VERSION,
    scope,
    service,
    complete: why.length === 0,
    missing: why,
    counts: perKind((kind) => records[kind].length),
  };
  const line = (key: string, value: unknown) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},\n`;
  const parts = Object.entries(facts).map(([key, value]) => line(key, value));
  for (const [index, kind] of COLLECTIONS.entries()) {
    const sorted = records[kind].toSorted(by(({ uid }) => uid));
    parts.push(`  ${JSON.stringify(kind)}: [`);
    for (let from = 0; from < sorted.length; from += AT_ONCE) {
      const some = sorted.slice(from, from + AT_ONCE);
      const texts = some.map(
        (row, at) => `${from + at === 0 ? "" : ","}\n    ${JSON.stringify(inOrder(row))}`,
      );
      parts.push(texts.join(""));
      await new Promise((resolve) => setTimeout(resolve));
      signal.throwIfAborted();
    }
    parts.push(sorted.length > 0 ? "\n  ]" : "]", index + 1 < COLLECTIONS.length ? ",\n" : "\n");
  }
  const type = { type: "application/json" };
  const compared = new Blob([...parts, "}\n"], type);
  return { file: new Blob([`{\n${line("time", time)}`, compared], type), compared };
}
