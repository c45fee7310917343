import { trimEndOf, trimStartOf } from "platform-contract/trim";
import { BYTE_ORDER_MARK, csvLine } from "~/ui/display/csv";
import type { Column } from "~/ui/table/types";

export type ExportFormat = "csv" | "json";

/** A format that only the records of one list have. */
export interface FileFormat<T> {
  /** "OpenVEX". */
  readonly label: string;
  /** What is in the file, a sentence. */
  readonly about: string;
  /** After the name: "openvex.json". */
  readonly extension: string;
  /** @param scope what the list is limited to, in words */
  readonly write: (rows: readonly T[], scope: string) => Promise<string>;
}

interface Item {
  readonly uid: string;
}

/** Rows per batch: a few milliseconds of work, so that the page stays responsive. */
const BATCH_ROWS = 1000;

const UID: Column<Item> = { id: "uid", header: "uid", cell: ({ uid }) => uid };

/** True for a column whose cells make requests that a file can't make for every row. */
export const isLeftOut = ({ text, readTexts }: Column<never>): boolean =>
  text === false && readTexts === undefined;

/** The columns of a file: the list's text columns, and always the uid, which identifies the row. */
export function fileColumns<T extends Item>(columns: readonly Column<T>[]): readonly Column<T>[] {
  const written = columns.filter((column) => !isLeftOut(column));
  return written.some(({ id }) => id === UID.id) ? written : [...written, UID];
}

/** The text of a cell. */
function textOf<T>({ text, cell }: Column<T>, row: T): string {
  if (text) return text(row);
  const shown = cell(row);
  return typeof shown === "string" || typeof shown === "number" ? String(shown) : "";
}

/** Writes the rows in batches, yielding to the event loop in between. Rejects with the reason of `signal`. */
async function parts<T>(
  rows: readonly T[],
  write: (row: T, index: number) => string,
  signal: AbortSignal,
): Promise<string[]> {
  const written: string[] = [];
  for (let from = 0; from < rows.length; from += BATCH_ROWS) {
    const some = rows.slice(from, from + BATCH_ROWS);
    written.push(some.map((row, index) => write(row, from + index)).join(""));
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
  }
  return written;
}

/** A header line and one line per row. */
export async function csvFile<T extends Item>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  signal: AbortSignal,
): Promise<Blob> {
  const all = fileColumns(columns);
  const lines = await parts(rows, (row) => csvLine(all.map((column) => textOf(column, row))), signal);
  const head = BYTE_ORDER_MARK + csvLine(all.map(({ header }) => header));
  return new Blob([head, ...lines], { type: "text/csv;charset=utf-8" });
}

/** An array of the records, one per line. */
export async function jsonFile(rows: readonly unknown[], signal: AbortSignal): Promise<Blob> {
  const lines = await parts(
    rows,
    (row, index) => `${index === 0 ? "" : ","}\n${JSON.stringify(row)}`,
    signal,
  );
  return new Blob(["[", ...lines, "\n]\n"], { type: "application/json" });
}

/** Makes text safe for a file name on every system. */
const plain = (text: string): string => {
  const safe = text.normalize("NFC").replace(/[^\p{L}\p{M}\p{N}._]+/gu, "-");
  return trimEndOf(trimStartOf(safe, "-."), "-.").slice(0, 60).toLowerCase();
};

interface FileFacts {
  list: string;
  /** What the list is limited to, in words. */
  scope: string;
  filtered?: boolean;
  partial: boolean;
  /** The scope ends with a date: that of the file is said to be when it was saved, or the two read as a range. */
  dated?: boolean;
  now: Date;
}

/** `identities-acme-2026-11-21.csv`, marked if filtered or partial. */
export function fileName(
  { list, scope, filtered, partial, dated, now }: FileFacts,
  extension: string,
): string {
  const words = [
    plain(list),
    plain(scope),
    filtered ? "filtered" : "",
    partial ? "partial" : "",
    dated ? "saved" : "",
    now.toISOString().slice(0, 10),
  ];
  return `${words.filter(Boolean).join("-")}.${extension}`;
}
