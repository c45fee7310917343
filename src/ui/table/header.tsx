import { ArrowDownIcon, ArrowUpIcon, CheckIcon, ChevronDownIcon } from "lucide-react";
import { memo, useId, useRef, useState, type ReactNode, type PointerEvent } from "react";

import { useLastInput } from "../controls/use-last-input";
import { VisuallyHidden } from "../layout/visually-hidden";
import { MenuList } from "../overlay/menu";
import classes from "./table.module.css";
import { nextOrder, readOrder, type Column } from "./types";
import type { Layout } from "./use-columns";
import { setWidth } from "./column-choice";

interface WidthHandleProps {
  /** Label of the table. */
  readonly list: string;
  /** id of the column. */
  readonly id: string;
}

/**
 * The end of a column's header, to drag; a double click resets the width. For the pointer only: with the keyboard, widths
 * are set where columns are chosen, so that the header gets no further Tab stops.
 */
const WidthHandle = memo(({ list, id }: WidthHandleProps): ReactNode => {
  const drag = (event: PointerEvent<HTMLSpanElement>) => {
    const { currentTarget: handle, clientX: from, pointerId } = event;
    const heading = handle.parentElement;
    if (!heading || event.button !== 0) return;
    event.preventDefault();
    handle.setPointerCapture(pointerId);
    const before = heading.getBoundingClientRect().width;
    const turned = getComputedStyle(heading).direction === "rtl" ? -1 : 1;
    const move = ({ clientX }: globalThis.PointerEvent) =>
      setWidth(list, id, before + turned * (clientX - from));
    const end = () => {
      handle.removeEventListener("pointermove", move);
      handle.removeEventListener("lostpointercapture", end);
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("lostpointercapture", end);
  };
  return (
    <span
      aria-hidden="true"
      className={classes["handle"]}
      onPointerDown={drag}
      onDoubleClick={() => setWidth(list, id, undefined)}
    />
  );
});

interface HeaderProps<T> {
  /** Label of the table, under which widths are stored. */
  list: string;
  all: readonly Column<T>[];
  layout: Layout<T>;
  order: string | undefined;
  onOrder: ((order: string) => void) | undefined;
  withActions: boolean;
  /** The checkbox for all rows, if they are selectable. */
  pick: ReactNode;
}

/** The header row; sticks to the top of the scrolling list. */
export function ListHeader<T>({
  list,
  all,
  layout,
  order: value,
  onOrder,
  withActions,
  pick,
}: HeaderProps<T>) {
  const [order, input] = useLastInput<string | undefined>(value, (next) => next && onOrder?.(next));
  const now = readOrder(order);
  // A list sorted by a hidden column would look unsorted.
  const hidden =
    now !== undefined &&
    all.some(({ sortField }) => sortField === now.field) &&
    !layout.columns.some(({ sortField }) => sortField === now.field);
  const several = all.filter(({ sortField }) => sortField !== undefined).length > 1;
  return (
    <div role="rowgroup" className={classes["header"]}>
      <div role="row" aria-rowindex={1} className={classes["grid"]}>
        {pick}
        {layout.columns.map((column, place) => {
          // Where there is no room for columns, the menu says it all.
          const menu = place === 0 && onOrder && (layout.narrow || hidden) && several;
          const sortable = onOrder && column.sortField !== undefined && !(menu && layout.narrow);
          const direction = sortable && now?.field === column.sortField ? now.descending : undefined;
          const Arrow = direction ? ArrowDownIcon : ArrowUpIcon;
          return (
            <div
              key={column.id}
              role="columnheader"
              data-column={column.id}
              className={classes["heading"]}
              data-align={column.align}
              data-menu={menu ? "" : undefined}
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
                  {/* The others have theirs by the style sheet, while the pointer or the focus is there. */}
                  {direction === undefined ? null : <Arrow size={12} className={classes["arrow"] ?? ""} />}
                </button>
              ) : (
                <span className={classes["clip"]}>{column.header}</span>
              )}
              {menu ? <SortMenu all={all} order={order} onOrder={input} /> : null}
              {layout.narrow ? null : <WidthHandle list={list} id={column.id} />}
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

interface SortMenuProps<T> {
  all: readonly Column<T>[];
  order: string | undefined;
  onOrder: (order: string) => void;
}

/** What ascending and descending mean in a column: "A to Z", "newest first". */
const directionWords = ({ sortFirst, sortWords, align }: Column<never>): readonly [string, string] =>
  sortWords ??
  (align === "end"
    ? ["fewest first", "most first"]
    : sortFirst === "desc"
      ? ["oldest first", "newest first"]
      : ["A to Z", "Z to A"]);

/** Shows and changes the order if the sorted column is hidden or there is no space for columns. */
function SortMenu<T>({ all, order, onOrder }: SortMenuProps<T>) {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const sortable = all.filter((column) => column.sortField !== undefined);
  const choices = sortable.flatMap((column) => {
    const { header, sortField = "" } = column;
    return directionWords(column).map((words, place) => {
      const value = place === 0 ? sortField : `${sortField} desc`;
      const checked = value === order;
      return {
        label: `${header}, ${words}`,
        checked,
        icon: <CheckIcon size={14} className={checked ? undefined : classes["unchecked"]} />,
        onSelect: () => onOrder(value),
      };
    });
  });
  return (
    <>
      <button
        ref={button}
        type="button"
        id={id}
        className={classes["choice"]}
        aria-haspopup="menu"
        aria-expanded={opened}
        onPointerEnter={MenuList.preload}
        onFocus={MenuList.preload}
        onClick={() => setOpened((now) => !now)}
      >
        <VisuallyHidden>Sort by</VisuallyHidden>{" "}
        {/* An order without a column must not show as one of the choices. */}
        <span className={classes["clip"]}>{choices.find(({ checked }) => checked)?.label ?? "…"}</span>
        <ChevronDownIcon size={14} />
      </button>
      {opened ? (
        <MenuList id={id} actions={choices} button={button} onClose={() => setOpened(false)} />
      ) : null}
    </>
  );
}
