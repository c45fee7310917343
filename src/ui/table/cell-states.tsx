import type { ReactNode } from "react";

import { Dash } from "../display/dash";
import { VisuallyHidden } from "../layout/visually-hidden";
import classes from "./cell-states.module.css";

/** A cell whose value is not known: a dash that says why. */
export const UnknownCell = ({ why }: { readonly why: string | undefined }): ReactNode => (
  <span data-tip={why}>
    <Dash {...(why !== undefined && { label: why })} />
  </span>
);

/** A cell that requests its own value. */
export const LoadingCell = (): ReactNode => (
  <span className={classes["quiet"]}>
    <span aria-hidden="true">…</span>
    <VisuallyHidden>Loading</VisuallyHidden>
  </span>
);
