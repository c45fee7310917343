import { stringify } from "yaml";

import { UsageError } from "../cli/errors";
import { isPrintable, printableLines } from "./printable";
import { tableOf } from "./table";

export const FORMATS = ["json", "yaml", "table"] as const;
export type OutputFormat = (typeof FORMATS)[number];

/** The format that was asked for; without one, a table on a terminal and JSON elsewhere. Throws a UsageError. */
export function formatOf(asked: string | undefined, terminal: boolean): OutputFormat {
  if (asked === undefined) return terminal ? "table" : "json";
  const format = FORMATS.find((one) => one === asked);
  if (!format) throw new UsageError(`--output takes ${FORMATS.join(", ")}.`);
  return format;
}

function yamlOf(value: unknown): string {
  // Readers of YAML 1.1 take an unquoted yes, 010 or 2026-01-01 for something else than a text.
  const text = stringify(value, { compat: "yaml-1.1" }).trimEnd();
  // Only quoted texts can have escapes.
  return isPrintable(text)
    ? text
    : printableLines(stringify(value, { defaultStringType: "QUOTE_DOUBLE" }).trimEnd());
}

/** A record, or records, as text. Nothing in them can drive a terminal. */
export function formatted(value: unknown, format: OutputFormat, columns: readonly string[]): string {
  if (format === "table") return tableOf([value].flat(), columns);
  return format === "yaml" ? yamlOf(value) : printableLines(JSON.stringify(value, undefined, 2));
}
