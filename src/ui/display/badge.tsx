import type { ReactNode } from "react";

import classes from "./badge.module.css";

/**
 * `quiet`: a kind; `neutral`: a state that asks for nothing; `strong`: one of a few names that matter; `accent`: the
 * chosen or current one; `critical` to `low`: only a severity.
 */
export type BadgeTone =
  | "quiet"
  | "neutral"
  | "strong"
  | "accent"
  | "success"
  | "warning"
  | "danger"
  | "critical"
  | "high"
  | "medium"
  | "low";

interface BadgeProps {
  /** Shown at 12 px: a status is an icon and a word, never only a color. */
  icon?: ReactNode;
  tone?: BadgeTone;
  children: ReactNode;
}

/** A kind or a state in one or two words. */
export function Badge({ icon, tone = "neutral", children }: BadgeProps) {
  return (
    <span className={classes["badge"]} data-tone={tone}>
      {icon}
      {children}
    </span>
  );
}
