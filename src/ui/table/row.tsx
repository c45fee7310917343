import { memo, type ReactNode } from "react";

import { Badge, type BadgeTone } from "../display/badge";
import { AppLink, type LinkTarget } from "../layout/link";
import { VisuallyHidden } from "../layout/visually-hidden";
import { ActionMenu, type MenuAction } from "../overlay/menu";
import classes from "./table.module.css";
import { RowCheckbox } from "./row-checkbox";
import type { Column } from "./types";
import type { SelectedRows } from "./use-row-selection";

interface RowMark {
  /** One word. */
  readonly word: string;
  readonly tone: BadgeTone;
  /** What it means, a sentence. */
  readonly tip: string;
}

/** Props of a row from its screen, apart from the columns. */
export interface RowFacts<T> {
  /** Name of a row, for "Actions for …". */
  readonly rowName: (row: T) => string;
  /** Returns undefined for a row without a page. */
  readonly rowLink?: ((row: T) => LinkTarget | undefined) | undefined;
  /** What marks a row among the others, beside its name. */
  readonly rowMark?: ((row: T) => RowMark | undefined) | undefined;
  readonly rowActions?: ((row: T) => readonly MenuAction[]) | undefined;
  /** The line below the name if there is no space for columns; default: the second column. */
  readonly summary?: ((row: T) => ReactNode) | undefined;
  /** At the end of the line with the name then: a state, a time. No controls. */
  readonly aside?: ((row: T) => ReactNode) | undefined;
}

interface RowProps<T> extends RowFacts<T> {
  row: T;
  rowKey: string;
  /** Index in the whole list, from 0. */
  index: number;
  /** Offset from the top of the list's body, in px. */
  start: number;
  columns: readonly Column<T>[];
  narrow: boolean;
  /** Absent if rows are not selectable. */
  onPick?: ((key: string, range: boolean) => void) | undefined;
  /** `mixed`: some of its members are selected. */
  picked: SelectedRows;
}

function Row<T>({ row, rowKey, index, start, columns, narrow, onPick, picked, ...facts }: RowProps<T>) {
  const { rowName, rowLink, rowActions, rowMark, summary, aside } = facts;
  const link = rowLink?.(row);
  const mark = rowMark?.(row);
  const plain = (column: Column<T>) =>
    link ? (
      <AppLink target={link} className={classes["link"]} data-tip-through="" data-tip-overflow="">
        {column.cell(row)}
      </AppLink>
    ) : (
      <span className={classes["unlinked"]} data-tip-overflow="">
        {column.cell(row)}
      </span>
    );
  const name = (column: Column<T>) =>
    mark ? (
      <div className={classes["lead"]}>
        {plain(column)}
        <span className={classes["mark"]} data-tip={mark.tip}>
          <span aria-hidden="true">
            <Badge tone={mark.tone}>{mark.word}</Badge>
          </span>
          <VisuallyHidden>{mark.tip}</VisuallyHidden>
        </span>
      </div>
    ) : (
      plain(column)
    );
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={onPick && picked === true}
      data-row-key={rowKey}
      className={`${classes["grid"]} ${classes["row"]}`}
      style={{ transform: `translateY(${start}px)` }}
    >
      {onPick ? (
        <RowCheckbox
          role="cell"
          label={`Select ${rowName(row)}`}
          checked={picked === true}
          mixed={picked === "mixed"}
          onPick={(range) => onPick(rowKey, range)}
        />
      ) : null}
      {columns.map((column, place) => (
        <div
          key={column.id}
          role="cell"
          className={classes[place === 0 ? "name" : "cell"]}
          data-align={column.align}
          data-tip-overflow={place === 0 ? undefined : ""}
        >
          {place > 0 ? (
            column.cell(row)
          ) : (
            <>
              {narrow && aside ? (
                <div className={classes["lead"]}>
                  {name(column)}
                  <span className={classes["aside"]}>{aside(row)}</span>
                </div>
              ) : (
                name(column)
              )}
              {narrow && summary ? <span className={classes["summary"]}>{summary(row)}</span> : null}
            </>
          )}
        </div>
      ))}
      {rowActions ? (
        <div role="cell" className={classes["actions"]}>
          <ActionMenu label={`Actions for ${rowName(row)}`} actions={() => rowActions(row)} />
        </div>
      ) : null}
    </div>
  );
}

/** Rerenders a row only if it changed, not whenever the list scrolls. */
export const ListRow = memo(Row) as typeof Row;
