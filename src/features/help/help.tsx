import type { ReactNode } from "react";

import { onFirstUse } from "~/ui/on-first-interaction";

import type { Topic } from "./topics";
import classes from "./help.module.css";

const Button = onFirstUse(async () => (await import("./help-button")).HelpButton);

/** A small "?" beside a concept; its place is kept until it comes with the first sign of a hand. */
export const Help = ({ about }: { readonly about: Topic }): ReactNode => (
  <span className={classes["mark"]}>
    <Button about={about} />
  </span>
);
