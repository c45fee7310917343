import { Button } from "@mantine/core";

import "../controls/button-styles";
import { TriedAgain, useSecondsLeft } from "../feedback/countdown";
import { ErrorDetails } from "../feedback/error-details";
import { errorFacts } from "../feedback/error-facts";
import { VisuallyHidden } from "../layout/visually-hidden";
import classes from "./table.module.css";
import type { ListQuery } from "./types";
import type { useScrollPosition } from "./use-scroll-position";

/** Widths of skeleton bars: different, so that they do not look like lines of a form. */
const WIDTHS = ["62%", "38%", "74%", "51%", "45%", "68%"];

interface SkeletonProps {
  columns: number;
  count: number;
}

/** Skeleton rows of the first load; as high as real rows. */
export function SkeletonRows({ columns, count }: SkeletonProps) {
  return (
    <div role="rowgroup">
      <div role="row">
        <div role="cell">
          <VisuallyHidden>Loading</VisuallyHidden>
        </div>
      </div>
      <div aria-hidden="true">
        {Array.from({ length: count }, (_, row) => (
          <Bars key={row} columns={columns} row={row} />
        ))}
      </div>
    </div>
  );
}

function Bars({ columns, row }: { columns: number; row: number }) {
  return (
    <div className={`${classes["grid"]} ${classes["still"]}`} data-lines={columns < 3 || undefined}>
      {Array.from({ length: columns }, (_, column) => (
        <div key={column} className={classes["cell"]}>
          <span className={classes["bar"]} style={{ width: WIDTHS[(row + column * 2) % WIDTHS.length] }} />
        </div>
      ))}
    </div>
  );
}

interface GapProps {
  columns: number;
  /** Range of rows in the whole list, `to` excluded; renders nothing if it is empty. */
  from: number;
  to: number;
  /** Px. */
  top: number;
}

/** Skeletons for rows in view that are not loaded yet. */
export function GapRows({ columns, from, to, top }: GapProps) {
  if (to <= from) return null;
  return (
    <div role="row" className={classes["gap"]} style={{ transform: `translateY(${top}px)` }}>
      <div role="cell">
        <VisuallyHidden>Loading rows</VisuallyHidden>
        <div aria-hidden="true">
          {Array.from({ length: to - from }, (_, index) => (
            <Bars key={from + index} columns={columns} row={from + index} />
          ))}
        </div>
      </div>
    </div>
  );
}

interface ErrorRowsProps {
  query: ListQuery;
  /** A position in the list that failed to load. */
  place: Pick<ReturnType<typeof useScrollPosition>, "missed" | "retry">;
  /** Offset of a row from the top, in px. */
  top: (row: number) => number;
  /** The first row in view, the first loaded row, and the one after the last loaded row. */
  first: number;
  firstRow: number;
  end: number;
}

/** The errors of rows that failed to load, in their place. */
export function ErrorRows({ query, place, top, first, firstRow, end }: ErrorRowsProps) {
  const { error, fetchNextPage, fetchPreviousPage } = query;
  if (query.isFetchNextPageError) return <ErrorRow top={top(end)} error={error} onRetry={fetchNextPage} />;
  if (query.isFetchPreviousPageError && fetchPreviousPage)
    return <ErrorRow top={top(Math.max(0, firstRow - 2))} error={error} onRetry={fetchPreviousPage} />;
  if (!place.retry) return null;
  return <ErrorRow top={top(first + 1)} error={place.missed?.error} onRetry={place.retry} />;
}

interface ErrorRowProps {
  error: unknown;
  onRetry: () => unknown;
  /** Px. */
  top: number;
}

/** The error of rows that failed to load; the others stay. */
function ErrorRow({ error, onRetry, top }: ErrorRowProps) {
  const facts = errorFacts(error);
  const { message, retryAt } = facts;
  const wait = useSecondsLeft(retryAt, onRetry);
  return (
    <div role="row" className={classes["gap"]} style={{ transform: `translateY(${top}px)` }}>
      <div role="cell" className={classes["trouble"]}>
        <span>
          More rows couldn't be loaded. {message}
          <TriedAgain seconds={wait} />
          <ErrorDetails {...facts} />
        </span>
        <Button variant="default" onClick={() => onRetry()}>
          {wait > 0 ? "Try now" : "Try again"}
        </Button>
      </div>
    </div>
  );
}
