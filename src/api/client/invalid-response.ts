import { parseInt64 } from "~/contract/aip";
import type { ListAnswer } from "~/contract/resource";

import type { ReadPage } from "./read-response";

/** How a page was asked for, as far as it matters here. */
interface Asked {
  readonly token?: string;
  readonly skip?: number;
  readonly first?: number;
}

/** A count of a page between which and the next one rows may have come and gone, says so much less than exactly. */
const SLACK = 50;

/** What a page says of the whole list; undefined when the service does not count, or counts less than nothing. */
export function totalOf({ totalCount }: ListAnswer<unknown>): number | bigint | undefined {
  const count = totalCount === undefined ? undefined : parseInt64(totalCount);
  return count === undefined || count < 0 ? undefined : count;
}

/** A token that leads to itself: the list ends there, and something is wrong with the service. */
export const repeats = (page: ListAnswer<unknown>, asked: Asked | undefined): boolean =>
  page.nextPageToken !== undefined && page.nextPageToken === asked?.token;

/** What is wrong with the pages of a list, in a sentence: rows that nobody can show, or reach. `held`: rows of them all. */
export function oddityOf(
  pages: readonly ReadPage[],
  asked: readonly Asked[],
  held: number,
): string | undefined {
  const unreadable = pages.reduce((sum, page) => sum + (page.unreadable ?? 0), 0);
  if (unreadable > 0)
    return `The service sent ${unreadable === 1 ? "a row" : `${unreadable} rows`} that this console cannot read.`;
  if (pages.some((page, index) => repeats(page, asked[index])))
    return "The service leads from the last page back to it: rows behind it cannot be reached.";
  const last = pages.at(-1);
  const count = last && totalOf(last);
  if (count === undefined || last?.nextPageToken) return undefined;
  const missing = Number(count) - (asked[0]?.first ?? asked[0]?.skip ?? 0) - held;
  return missing < (pages.length === 1 ? 1 : SLACK)
    ? undefined
    : `The service counts ${count}, and sends ${held === 0 ? "none" : `only ${held}`}.`;
}
