import { TriangleAlertIcon, CircleCheckIcon, InfoIcon, OctagonAlertIcon } from "lucide-react";
import type { ReactNode } from "react";

import classes from "./notice.module.css";
import { VisuallyHidden } from "../layout/visually-hidden";

export type Tone = "info" | "success" | "warning" | "danger";

const ICONS = {
  info: InfoIcon,
  success: CircleCheckIcon,
  warning: TriangleAlertIcon,
  danger: OctagonAlertIcon,
};
const WORDS = { info: "Note", success: "Done", warning: "Warning", danger: "Error" };

interface NoticeProps {
  tone?: Tone;
  /** What a screen reader hears for the icon, if the tone's word would be wrong: "No". */
  word?: string;
  title?: ReactNode;
  children?: ReactNode;
  /** Buttons or links, below the text. */
  actions?: ReactNode;
  /** "alert" interrupts a screen reader: for the result of an action. */
  role?: "alert" | "status";
}

/** A remark in the flow of the page. The icon has a word, so color is never the only sign. */
export function Notice({ tone = "info", word = WORDS[tone], title, children, actions, role }: NoticeProps) {
  const Icon = ICONS[tone];
  return (
    <div
      className={classes["notice"]}
      data-tone={tone}
      role={role}
      // Makes it focusable from code.
      tabIndex={role === "alert" ? -1 : undefined}
    >
      <span className={classes["icon"]}>
        <Icon size={16} />
        <VisuallyHidden>{word}: </VisuallyHidden>
      </span>
      <div className={classes["body"]}>
        {title ? <p className={classes["title"]}>{title}</p> : null}
        {children ? <div>{children}</div> : null}
        {actions ? <div className={classes["actions"]}>{actions}</div> : null}
      </div>
    </div>
  );
}
