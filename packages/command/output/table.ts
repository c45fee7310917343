import { isObject } from "platform-contract/values";

import { printable } from "./printable";

const valueAt = (record: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), record);

/** A value in one cell: of a record that another one repeats, its name. */
function cellOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(cellOf).join(",");
  if (!isObject(value)) return printable(String(value));
  const { name, uid } = value;
  return printable(
    typeof name === "string" && name ? name : typeof uid === "string" ? uid : JSON.stringify(value),
  );
}

/** "createTime": "CREATE TIME". */
const headOf = (column: string): string => column.replaceAll(/[A-Z]/g, " $&").toUpperCase();

/** Characters that a terminal shows on two cells, and on none. */
const WIDE =
  /[\p{Emoji_Presentation}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303e\uff01-\uff60]/gu;
const NONE = /[\p{Mn}\p{Me}\u200b-\u200d]/gu;

const widthOf = (text: string): number => {
  const shown = text.replaceAll(NONE, "");
  return [...shown].length + [...shown.matchAll(WIDE)].length;
};

/** Records as lines of columns, which are paths (`claimMatch.subject`). */
export function tableOf(records: readonly unknown[], columns: readonly string[]): string {
  const rows = [
    columns.map(headOf),
    ...records.map((record) => columns.map((column) => cellOf(valueAt(record, column)))),
  ];
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => widthOf(row[index] ?? ""))));
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell + " ".repeat((widths[index] ?? 0) - widthOf(cell)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
