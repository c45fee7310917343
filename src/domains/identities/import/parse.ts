import { CsvError, parse } from "csv-parse/browser/esm/sync";

import { isObject } from "platform-contract/values";
import { TextProblem } from "~/frame/untrusted-text/outcome";

import { LINE, MOST_BYTES, type Table } from "./table";

/** What the worker of this parser is asked. */
export interface TableRequest {
  readonly text: string;
  readonly headers: readonly string[];
}

/** Most rows that are imported together. */
export const MOST_ROWS = 1_000;
/** Most columns: a table has as many cells as rows times columns. */
const MOST_COLUMNS = 200;
const tooWide = () => new TextProblem(`There are more than ${MOST_COLUMNS} columns.`);
/** Most levels of a JSON record: those of the API have three. */
const DEEPEST = 5;

/** Puts a JSON record into one row: `{ a: { b: "c" } }` has the column "a.b". */
function flatten(value: unknown, path: string, into: Record<string, string>, depth = 0): void {
  if (value === null || value === undefined) return;
  if (!isObject(value)) {
    into[path] = typeof value === "string" ? value : JSON.stringify(value);
    return;
  }
  if (depth === DEEPEST) throw new TextProblem(`The value at ${path} is nested too deeply.`);
  for (const [key, inner] of Object.entries(value))
    flatten(inner, path === "" ? key : `${path}.${key}`, into, depth + 1);
}

function fromJson(text: string): Table {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new TextProblem(
      `This isn't valid JSON: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
  if (!Array.isArray(json)) throw new TextProblem("This JSON isn't a list of records.");
  const rows = json.map((record: unknown, index) => {
    if (typeof record === "string") return { [LINE]: record };
    if (!isObject(record)) throw new TextProblem(`Entry ${index + 1} isn't a record.`);
    const row: Record<string, string> = {};
    flatten(record, "", row);
    return row;
  });
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (columns.length > MOST_COLUMNS) throw tooWide();
  return { columns, rows };
}

/** Spreadsheets take some texts for formulas; files of this console have an apostrophe before those. */
const plain = (cell: string): string =>
  cell.replace(/^'(?=[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20])/, "").trim();

/** Whatever stands most often in the first line. */
function delimiterOf(text: string): string {
  const [line = ""] = text.split(/\r?\n/, 1);
  const count = (delimiter: string) => line.split(delimiter).length;
  return [",", ";", "\t"].toSorted((one, other) => count(other) - count(one))[0] ?? ",";
}

function fromCsv(text: string, headers: readonly string[]): Table {
  let lines: string[][];
  try {
    lines = parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      relax_column_count: true,
      skip_empty_lines: true,
      to: MOST_ROWS + 2,
    });
  } catch (error) {
    throw new TextProblem(
      error instanceof CsvError ? `This isn't valid CSV: ${error.message}.` : "This file couldn't be read.",
    );
  }
  const [head = [], ...rest] = lines.map((line) => line.map(plain));
  // A plain list has no header: its first line is a value like the others.
  if (head.length === 1 && !headers.includes(head[0]?.toLowerCase() ?? ""))
    return { columns: [LINE], rows: [head, ...rest].map(([line = ""]) => ({ [LINE]: line })) };
  const columns = head.map((name, index) => name || `Column ${index + 1}`);
  if (columns.length > MOST_COLUMNS) throw tooWide();
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice !== undefined) throw new TextProblem(`Two columns are called ${twice}.`);
  const long = rest.findIndex((line) => line.length > columns.length);
  if (long >= 0) throw new TextProblem(`Row ${long + 1} has more cells than there are columns.`);
  return {
    columns,
    rows: rest.map((line) =>
      Object.fromEntries(
        columns.map((name, index) => [name, line[index] ?? ""]).filter(([, cell]) => cell !== ""),
      ),
    ),
  };
}

/**
 * Reads CSV, a list with a value in each line, or a JSON list of records. Throws a TextProblem.
 * @param headers names of columns in lower case: one alone in the first line is no value
 */
export function parseTable(text: string, headers: readonly string[]): Table {
  if (new TextEncoder().encode(text).length > MOST_BYTES) throw new TextProblem("This is larger than 5 MB.");
  const table = /^\uFEFF?\s*[[{]/.test(text) ? fromJson(text.replace(/^\uFEFF/, "")) : fromCsv(text, headers);
  if (table.rows.length === 0) throw new TextProblem("There are no rows.");
  if (table.rows.length > MOST_ROWS)
    throw new TextProblem(
      `There are more than ${MOST_ROWS.toLocaleString("en")} rows. Import them in parts.`,
    );
  return table;
}
