import { BYTE_ORDER_MARK, csvLine } from "~/ui/display/csv";
import type { Column } from "~/ui/table/types";

export type ExportFormat = "csv" | "json";

interface Item {
  readonly uid: string;
}

/** Rows that are written at once: a few milliseconds of work, so that nothing on the page stops meanwhile. */
const AT_ONCE = 1000;

const UID: Column<Item> = { id: "uid", header: "uid", cell: ({ uid }) => uid };

/** The columns of a file: those of the list that are text, and always the uid, by which a row can be found again. */
export function fileColumns<T extends Item>(columns: readonly Column<T>[]): readonly Column<T>[] {
  const written = columns.filter(({ text }) => text !== false);
  return written.some(({ id }) => id === UID.id) ? written : [...written, UID];
}

/** What a cell says. */
function textOf<T>({ text, cell }: Column<T>, row: T): string {
  if (text) return text(row);
  const shown = cell(row);
  return typeof shown === "string" || typeof shown === "number" ? String(shown) : "";
}

/** The parts of a file, in order; rests between them. Rejects with the reason of `signal`. */
async function parts<T>(
  rows: readonly T[],
  write: (row: T, index: number) => string,
  signal: AbortSignal,
): Promise<string[]> {
  const written: string[] = [];
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const some = rows.slice(from, from + AT_ONCE);
    written.push(some.map((row, index) => write(row, from + index)).join(""));
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
  }
  return written;
}

/** A line of titles and a line for each row. */
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

/** An array of the records, one a line. */
export async function jsonFile(rows: readonly unknown[], signal: AbortSignal): Promise<Blob> {
  const lines = await parts(
    rows,
    (row, index) => `${index === 0 ? "" : ","}\n${JSON.stringify(row)}`,
    signal,
  );
  return new Blob(["[", ...lines, "\n]\n"], { type: "application/json" });
}

/** Text as a part of a file name that every system takes. */
const plain = (text: string): string =>
  text
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}._]+/gu, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, 60)
    .toLowerCase();

/** `identities-acme-2026-11-21.csv`; one that is not whole says so. `scope`: what the list is limited to, in words. */
export function fileName(
  { list, scope, partial, now }: { list: string; scope: string; partial: boolean; now: Date },
  format: ExportFormat,
): string {
  const words = [plain(list), plain(scope), partial ? "partial" : "", now.toISOString().slice(0, 10)];
  return `${words.filter(Boolean).join("-")}.${format}`;
}
