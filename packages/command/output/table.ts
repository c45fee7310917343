import type { Facts } from "platform-contract/resource";
import { shapeOf } from "platform-contract/schema";
import { isObject } from "platform-contract/values";

import { printable } from "./printable";

/** What says least of a record, and would take most of its line. */
const LEFT_OUT = new Set(["description", "updateTime"]);
const MOST = 7;

/** The columns of a kind: its name, then what else a record has by the contract, its creation and its uid last. */
export function columnsOf({ answer }: Pick<Facts<unknown, unknown>, "answer">): string[] {
  const fields = Object.keys(shapeOf(answer) ?? {}).filter((field) => !LEFT_OUT.has(field));
  const around = ["name", "createTime", "uid"];
  const between = fields.filter((field) => !around.includes(field)).slice(0, MOST - around.length);
  return ["name", ...between, "createTime", "uid"].filter((field) => fields.includes(field));
}

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

const widthOf = (text: string): number => [...text].length;

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
