import type { ReactNode } from "react";

import { Dash } from "./dash";
import classes from "./definition-list.module.css";

export interface Definition {
  readonly term: string;
  /** undefined, null and "" show a dash. */
  readonly value: ReactNode;
  /** Spans both columns, for long values. */
  readonly wide?: boolean;
}

/** Facts of a record in two columns, or one if space is narrow. */
export function DefinitionList({ items }: { items: readonly Definition[] }) {
  return (
    <dl className={classes["list"]}>
      {items.map(({ term, value, wide }) => (
        <div key={term} className={classes["item"]} data-wide={wide || undefined}>
          <dt className={classes["term"]}>{term}</dt>
          <dd className={classes["value"]}>
            {value === undefined || value === null || value === "" ? <Dash /> : value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
