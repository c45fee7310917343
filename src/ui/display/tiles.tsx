import { LockIcon } from "lucide-react";
import type { ReactNode } from "react";

import { AppLink, type LinkTarget } from "~/ui/layout/link";

import { Dash } from "./dash";
import { formatCount } from "./numbers";
import classes from "./tiles.module.css";

/** Figures side by side; its children are Tile. `label`: what they count, if no heading says it. */
export function Tiles({ label, children }: { readonly label?: string; readonly children: ReactNode }) {
  return (
    <dl className={classes["tiles"]} aria-label={label}>
      {children}
    </dl>
  );
}

interface TileProps {
  readonly label: string;
  readonly target?: LinkTarget | undefined;
  /** Undefined while unknown. */
  readonly count: number | bigint | undefined;
  /** Why there is no count: "loading". */
  readonly missing?: string | undefined;
  /** What the count leaves out, in a sentence. */
  readonly note?: string | undefined;
  /** What the user would need to see the count, in a sentence. */
  readonly hidden?: string | undefined;
}

/**
 * A count and what it counts; the whole tile is the link, if there is one. Zero and what is hidden step back, so that
 * the eye meets what is there; they keep their place.
 */
export function Tile({ label, target, count, missing = "not known", note, hidden }: TileProps) {
  const quiet = hidden !== undefined || count === undefined || Number(count) === 0;
  return (
    <div className={classes["tile"]} data-quiet={quiet || undefined} data-tip={hidden ?? note}>
      <dt>{target ? <AppLink target={target}>{label}</AppLink> : label}</dt>
      <dd aria-description={note}>
        {hidden !== undefined ? (
          <span className={classes["hidden"]}>
            <LockIcon size={14} />
            Hidden
            <span className="pc-visually-hidden"> by your role</span>
          </span>
        ) : count === undefined ? (
          <Dash label={missing} />
        ) : (
          formatCount(count)
        )}
      </dd>
    </div>
  );
}
