import type { ReactNode } from "react";

import { Dash } from "~/ui/display/dash";

import classes from "./styles.module.css";

/** Short texts of one kind, each set apart from the next. */
export function Words({ of }: { readonly of: readonly string[] | undefined }): ReactNode {
  if (!of || of.length === 0) return <Dash />;
  return (
    <ul className={classes["words"]}>
      {of.map((word, index) => (
        <li key={index}>
          <code dir="auto">{word}</code>
        </li>
      ))}
    </ul>
  );
}

/** A table of facts: the first column names the row. */
export function FactTable(props: {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
}): ReactNode {
  const { caption, head, rows } = props;
  return (
    <div className={classes["scroller"]} tabIndex={0} role="region" aria-label={caption}>
      <table className={classes["table"]}>
        <thead>
          <tr>
            {head.map((word) => (
              <th key={word} scope="col">
                {word}
              </th>
            ))}
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
    </div>
  );
}
