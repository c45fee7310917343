import { formatCount } from "../numbers";
import classes from "./list.module.css";
import type { ListQuery } from "./types";

interface LeadRowProps {
  query: ListQuery;
  /** How many rows stand before the loaded ones. */
  before: number;
  onFirst: () => void;
}

/** Stands above the loaded rows of a list that was entered in the middle. */
export function LeadRow({ query, before, onFirst }: LeadRowProps) {
  const { isFetchingPreviousPage, isFetchPreviousPageError, fetchPreviousPage } = query;
  return (
    <div role="rowgroup">
      <div role="row">
        <div role="cell" className={classes["lead"]}>
          {isFetchingPreviousPage ? (
            "Loading rows"
          ) : (
            <>
              {formatCount(before)} rows above&nbsp;
              {isFetchPreviousPageError && fetchPreviousPage ? (
                <button type="button" className={classes["sort"]} onClick={() => void fetchPreviousPage()}>
                  could not be loaded: try again
                </button>
              ) : null}
              <button type="button" className={classes["sort"]} onClick={onFirst}>
                Go to the first row
              </button>
            </>
          )}
        </div>
      </div>
    </div>
  );
}
