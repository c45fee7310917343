import type { ReactNode } from "react";

import type { AuditEntry } from "platform-contract/audit/entries";

import classes from "./justification.module.css";

/** Why, in the words of whoever made the change, on a line of its own; nothing if the entry has none. */
export const Justification = ({ of }: { readonly of: AuditEntry }): ReactNode =>
  of.justification ? (
    <span className={classes["why"]}>
      Reason: <bdi>{of.justification}</bdi>
    </span>
  ) : null;
