import type { InfiniteData } from "@tanstack/react-query";

import type { ListAnswer } from "platform-contract/resource";

/** Rows per list request. */
export const PAGE_SIZE = 50;
/** Rows by which a page in front of a list overlaps it, so that rows added meanwhile leave no gap. */
export const OVERLAP = 10;
/** Maximum pages that a list holds; beyond that it drops pages at its other end, to be read again when needed. */
export const MAX_PAGES = 40;

/**
 * How a page is requested: by the token of the previous page, or by the number of its first row. `size` is set on a
 * page in front of a list that starts in the middle, so that the page ends where the list starts.
 */
export interface PageParam {
  readonly token?: string;
  readonly skip?: number;
  readonly size?: number;
  /** The number of its first row, if it is read by token and not by `skip`. */
  readonly first?: number;
  /** uid of the row that follows a page in front of the list. */
  readonly before?: string | undefined;
}

export const firstOf = ({ first, skip = 0 }: PageParam): number => first ?? skip;

export type Pages<T> = InfiniteData<ListAnswer<T>, PageParam>;
