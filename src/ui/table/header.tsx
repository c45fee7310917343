import { ArrowDownIcon, ArrowUpIcon } from "lucide-react";
import type { ReactNode } from "react";

import { useLastInput } from "../controls/use-last-input";
import { VisuallyHidden } from "../layout/visually-hidden";
import classes from "./table.module.css";
import { nextOrder, readOrder, type Column } from "./types";
import type { Layout } from "./use-columns";

interface HeaderProps<T> {
  all: readonly Column<T>[];
  layout: Layout<T>;
  order: string | undefined;
  onOrder: ((order: string) => void) | undefined;
  withActions: boolean;
  /** The checkbox for all rows, if they are selectable. */
  pick: ReactNode;
}

/** The header row; sticks to the top of the scrolling list. */
export function ListHeader<T>({ all, layout, order: value, onOrder, withActions, pick }: HeaderProps<T>) {
  const [order, input] = useLastInput<string | undefined>(value, (next) => next && onOrder?.(next));
  const now = readOrder(order);
  // A list sorted by a hidden column would look unsorted.
  const hidden =
    now !== undefined &&
    all.some(({ sortField }) => sortField === now.field) &&
    !layout.columns.some(({ sortField }) => sortField === now.field);
  return (
    <div role="rowgroup" className={classes["header"]}>
      <div role="row" aria-rowindex={1} className={classes["grid"]}>
        {pick && <div role="columnheader">{pick}</div>}
        {layout.columns.map((column, place) => {
          const sortable = onOrder && column.sortField !== undefined;
          const direction = sortable && now?.field === column.sortField ? now.descending : undefined;
          const Arrow = direction ? ArrowDownIcon : ArrowUpIcon;
          return (
            <div
              key={column.id}
              role="columnheader"
              className={classes["heading"]}
              data-align={column.align}
              aria-sort={
                !sortable
                  ? undefined
                  : direction === undefined
                    ? "none"
                    : direction
                      ? "descending"
                      : "ascending"
              }
            >
              {sortable ? (
                <button
                  type="button"
                  className={classes["sort"]}
                  data-sorted={direction !== undefined || undefined}
                  onClick={() => input(nextOrder(order, column))}
                >
                  <span className={classes["clip"]}>{column.header}</span>
                  <Arrow size={12} className={classes["arrow"] ?? ""} />
                </button>
              ) : (
                <span className={classes["clip"]}>{column.header}</span>
              )}
              {place === 0 && onOrder && (layout.narrow || hidden) ? (
                <SortChoice all={all} order={order} onOrder={input} />
              ) : null}
            </div>
          );
        })}
        {withActions ? (
          <div role="columnheader" className={classes["heading"]}>
            <VisuallyHidden>Actions</VisuallyHidden>
          </div>
        ) : null}
      </div>
    </div>
  );
}

interface SortChoiceProps<T> {
  all: readonly Column<T>[];
  order: string | undefined;
  onOrder: (order: string) => void;
}

/** Shows and changes the order if the sorted column is hidden or there is no space for columns. */
function SortChoice<T>({ all, order, onOrder }: SortChoiceProps<T>) {
  const sortable = all.filter((column) => column.sortField !== undefined);
  if (sortable.length < 2) return null;
  // An order without a column must not show as the first option.
  const known = sortable.some(({ sortField }) => sortField === readOrder(order)?.field);
  return (
    <select
      aria-label="Sort by"
      className={classes["choice"]}
      value={order ?? ""}
      onChange={(event) => onOrder(event.currentTarget.value)}
    >
      {known ? null : <option value={order ?? ""}>Sort by</option>}
      {sortable.flatMap(({ header, sortField = "" }) => [
        <option key={sortField} value={sortField}>
          {header}, ascending
        </option>,
        <option key={`${sortField} desc`} value={`${sortField} desc`}>
          {header}, descending
        </option>,
      ])}
    </select>
  );
}
