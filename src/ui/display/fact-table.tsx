import type { ReactNode } from "react";

import { Dash } from "./dash";
import classes from "./fact-table.module.css";

interface FactTableProps {
  /** Name of a table that can be wider than the page: it scrolls on its own. */
  readonly caption?: string;
  /** Replaces the default style. */
  readonly className?: string | undefined;
  readonly head: readonly ReactNode[];
  /** undefined and "" show a dash. */
  readonly rows: readonly (readonly ReactNode[])[];
}

/** A table of facts: the first column names the row. */
export function FactTable(props: FactTableProps): ReactNode {
  const { caption, className = classes["table"], head, rows } = props;
  const table = (
    <table className={className}>
      <thead>
        <tr>
          {head.map((title, column) =>
            title === "" ? (
              <td key={column} />
            ) : (
              <th key={column} scope="col">
                {title}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          <tr key={row}>
            {cells.map((cell, column) => {
              const Cell = column === 0 ? "th" : "td";
              return (
                <Cell key={column} scope={column === 0 ? "row" : undefined}>
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
