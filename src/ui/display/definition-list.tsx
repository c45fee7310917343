import type { ReactNode } from "react";

import { Dash } from "./dash";
import { ExactTimes } from "./time";
import classes from "./definition-list.module.css";

export interface Definition {
  readonly term: string;
  /** undefined, null and "" show a dash. */
  readonly value: ReactNode;
  /** Spans both columns, for long values. */
  readonly wide?: boolean;
}

/** True if no other fact stands beside this one: the box would have a hole. */
function isAlone(items: readonly Definition[], index: number): boolean {
  const before = items.slice(0, index).findLastIndex(({ wide }) => wide);
  const next = items[index + 1];
  return (index - before) % 2 === 1 && (next === undefined || next.wide === true);
}

/** Facts of a record in two columns, or one if space is narrow. */
export function DefinitionList({ items }: { items: readonly Definition[] }) {
  return (
    <dl className={classes["list"]}>
      {items.map(({ term, value, wide }, index) => (
        <div
          key={term}
          className={classes["item"]}
          data-wide={wide || undefined}
          data-last={isAlone(items, index) || undefined}
        >
          <dt className={classes["term"]}>{term}</dt>
          <dd className={classes["value"]}>
            <ExactTimes value>
              {value === undefined || value === null || value === "" ? <Dash /> : value}
            </ExactTimes>
          </dd>
        </div>
      ))}
    </dl>
  );
}
