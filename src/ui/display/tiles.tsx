import type { ReactNode } from "react";

import { AppLink, type LinkTarget } from "~/ui/layout/link";

import classes from "./tiles.module.css";

/** Figures side by side; its children are Tile. `label`: what they count, if no heading says it. */
export function Tiles({ label, children }: { readonly label?: string; readonly children: ReactNode }) {
  return (
    <dl className={classes["tiles"]} aria-label={label}>
      {children}
    </dl>
  );
}

/** A figure and what it counts; the whole tile is the link, if there is one. */
export function Tile(props: {
  readonly label: string;
  readonly target?: LinkTarget | undefined;
  readonly children: ReactNode;
}) {
  const { label, target, children } = props;
  return (
    <div className={classes["tile"]}>
      <dt>{target ? <AppLink target={target}>{label}</AppLink> : label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
