import type { ReactNode } from "react";

import classes from "./badge.module.css";

interface BadgeProps {
  /** An icon at 16 px: a status is an icon and a word, never only a color. */
  icon?: ReactNode;
  tone?: "neutral" | "accent" | "success" | "warning" | "danger";
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
