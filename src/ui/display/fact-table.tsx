import type { ReactNode } from "react";

import { Dash } from "./dash";
import classes from "./fact-table.module.css";

interface FactTableProps {
  /** Name of a table that can be wider than the page: it scrolls on its own. */
  readonly caption?: string;
  /** In a narrow window each row stands as a block, every cell below its head, in place of scrolling sideways. */
  readonly stacks?: boolean;
  /** Replaces the default style. */
  readonly className?: string | undefined;
  readonly head: readonly ReactNode[];
  /** Columns of numbers, which stand at their end in the default style: the second is 1. */
  readonly numbers?: readonly number[];
  /** undefined and "" show a dash. */
  readonly rows: readonly (readonly ReactNode[])[];
}

/** A table of facts: the first column names the row. */
export function FactTable(props: FactTableProps): ReactNode {
  const { caption, stacks = false, className = classes["table"], head, numbers = [], rows } = props;
  const isNumber = (column: number) => numbers.includes(column) || undefined;
  // What isn't displayed as a table is none to a screen reader either, unless its roles say so.
  const role = (name: string) => (stacks ? name : undefined);
  const table = (
    <table className={className} data-stacks={stacks || undefined} role={role("table")}>
      <thead role={role("rowgroup")}>
        <tr role={role("row")}>
          {head.map((title, column) =>
            title === "" ? (
              <td key={column} />
            ) : (
              <th key={column} scope="col" role={role("columnheader")} data-number={isNumber(column)}>
                {title}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody role={role("rowgroup")}>
        {rows.map((cells, row) => (
          <tr key={row} role={role("row")}>
            {cells.map((cell, column) => {
              const Cell = column === 0 ? "th" : "td";
              return (
                <Cell
                  key={column}
                  scope={column === 0 ? "row" : undefined}
                  role={role(column === 0 ? "rowheader" : "cell")}
                  data-number={isNumber(column)}
                >
                  {stacks ? (
                    <span className={classes["label"]} aria-hidden>
                      {head[column]}
                    </span>
                  ) : null}
                  {cell === undefined || cell === "" ? <Dash /> : cell}
                </Cell>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (caption === undefined) return table;
  return (
    <div className={classes["scroller"]} tabIndex={0} role="region" aria-label={caption}>
      {table}
    </div>
  );
}
