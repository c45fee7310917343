import type { ReactNode } from "react";

import { sameValue } from "./dirty-paths";
import type { FieldLabel } from "./labels";
import classes from "./review-changes.module.css";

const textOf = (value: unknown): string =>
  typeof value === "object" && value !== null
    ? Object.entries(value)
        .filter(([, inner]) => !sameValue(inner, undefined))
        .map(([key, inner]) => `${key}: ${textOf(inner)}`)
        .join(", ")
    : typeof value === "boolean"
      ? value
        ? "Yes"
        : "No"
      : String(value ?? "");

/** A value as lines of text: an entry of a list or of a map each. */
export function linesOf(value: unknown, options: FieldLabel["options"]): string[] {
  if (typeof value === "string") {
    const chosen = options?.find((option) => option.value === value)?.label ?? value;
    return chosen === "" ? [] : [chosen];
  }
  if (Array.isArray(value)) return value.map(textOf);
  if (typeof value === "object" && value !== null)
    return Object.entries(value).map(([key, inner]) => `${key}: ${textOf(inner)}`);
  return value === undefined || value === null ? [] : [textOf(value)];
}

/** The lines of a list that another one lacks; all of them where only their order differs. */
export function linesWithout(lines: readonly string[], other: readonly string[]): readonly string[] {
  const left = lines.filter((line) => !other.includes(line));
  const alike = left.length === 0 && other.every((line) => lines.includes(line));
  return alike ? lines : left;
}

interface LinesProps {
  readonly of: readonly string[];
  readonly secret: boolean;
  /** Where there are no lines there are others, which stay as they are. */
  readonly none?: boolean;
}

/** A value in words; never that of a secret. */
export function Lines({ of, secret, none = false }: LinesProps): ReactNode {
  if (secret) return <span className={classes["quiet"]}>not shown</span>;
  if (of.length === 0) return none ? null : <span className={classes["quiet"]}>empty</span>;
  return (
    <div className={classes["lines"]}>
      {of.map((line, index) => (
        <div key={index} dir="auto">
          {line}
        </div>
      ))}
    </div>
  );
}
