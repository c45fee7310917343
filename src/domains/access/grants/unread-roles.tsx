import type { ReactNode } from "react";

import { FailedPart } from "~/ui/feedback/failed-part";

import type { RoleChoice } from "./roles";
import classes from "./styles.module.css";

interface UnreadRolesProps {
  readonly choice: Pick<RoleChoice, "error" | "retry" | "more">;
  /** What is missing for that, as a sentence. */
  readonly missing: string;
}

/** Why some roles of a list aren't known: they failed to load, are too many, or are hidden by the user's own role. */
export function UnreadRoles({ choice: { error, retry, more }, missing }: UnreadRolesProps): ReactNode {
  if (error) return <FailedPart title="Some roles couldn't be read" error={error} onRetry={retry} />;
  return (
    <p className={classes["quiet"]}>
      {more
        ? "Only the first custom roles of the organization were read, and some here are others."
        : "Some have a role that you can't see."}{" "}
      {missing}
    </p>
  );
}
