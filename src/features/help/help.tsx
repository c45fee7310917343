import type { ReactNode } from "react";

import { onFirstUse } from "~/ui/on-first-interaction";

import type { Topic } from "./topics";
import classes from "./help.module.css";

const Button = onFirstUse(async () => (await import("./help-button")).HelpButton);

/** A small "?" next to a concept; its space is reserved until it loads on the first user interaction. */
export const Help = ({ about }: { readonly about: Topic }): ReactNode => (
  <span className={classes["mark"]}>
    <Button about={about} />
  </span>
);
