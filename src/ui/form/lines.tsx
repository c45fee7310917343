import type { ReactNode } from "react";

import { sameValue } from "platform-contract/values";
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

/** A value as lines of text: one per entry of a list or map. */
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

/** The lines that another list lacks; all of them if only the order differs. */
export function linesWithout(lines: readonly string[], other: readonly string[]): readonly string[] {
  const left = lines.filter((line) => !other.includes(line));
  const alike = left.length === 0 && other.every((line) => lines.includes(line));
  return alike ? lines : left;
}

interface LinesProps {
  readonly of: readonly string[];
  readonly secret: boolean;
  /** Renders nothing if there are no lines, since other lines are unchanged. */
  readonly none?: boolean;
  /** As high as it is, where nothing else has to stay in view. */
  readonly whole?: boolean;
}

/** A value in words; never shows a secret. */
export function Lines({ of, secret, none = false, whole = false }: LinesProps): ReactNode {
  if (secret) return <span className={classes["quiet"]}>not shown</span>;
  if (of.length === 0) return none ? null : <span className={classes["quiet"]}>empty</span>;
  return (
    <div className={classes["lines"]} data-whole={whole || undefined}>
      {of.map((line, index) => (
        <div key={index} dir="auto">
          {line}
        </div>
      ))}
    </div>
  );
}
