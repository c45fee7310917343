import type { InfiniteData } from "@tanstack/react-query";

import type { ListAnswer } from "~/contract/resource";

/** Rows that one request of a list asks for. */
export const PAGE_SIZE = 50;
/** Rows that a page in front of a list reads again of it, so that rows added meanwhile leave no gap between them. */
export const OVERLAP = 10;
/** Pages that a list holds; more, and those at its other end are let go, to be read again when somebody returns. */
export const MAX_PAGES = 40;

/**
 * How a page was asked for: by the token of the page before it, or by its first row number. `size` is set on a page
 * in front of a list that begins in the middle, so that it ends where the list begins.
 */
export interface PageParam {
  readonly token?: string;
  readonly skip?: number;
  readonly size?: number;
  /** The number of its first row, where a token and not `skip` says where to read. */
  readonly first?: number;
  /** uid of the row that follows a page in front of the list. */
  readonly before?: string | undefined;
}

export const firstOf = ({ first, skip = 0 }: PageParam): number => first ?? skip;

export type Pages<T> = InfiniteData<ListAnswer<T>, PageParam>;
