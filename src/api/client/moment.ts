import type { RequestInfo } from "platform-client/request-info";
import { READ_TIME } from "platform-contract/endpoint";

/** The search parameter of the console with the moment of the past that the page shows (RFC 3339, in UTC). */
export const AS_OF = "asOf";

let shown: string | undefined;

/** The moment that this page shows; undefined: now. It stays as it is until another page is loaded. */
export const shownMoment = (): string | undefined => shown;

/** Sets it, before the first call. */
export const showMoment = (moment: string | undefined): void => void (shown = moment);

/** The moment in the search parameters of an address; undefined if there is none. */
export const momentIn = ({ [AS_OF]: moment }: Readonly<Record<string, unknown>>): string | undefined =>
  typeof moment === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(moment) && !Number.isNaN(Date.parse(moment))
    ? moment
    : undefined;

/** The parameters of a read that is about now, whatever the page shows: what the user may do, they may do now. */
export const NOW: { readonly [READ_TIME]?: undefined } = { [READ_TIME]: undefined };

/** A read as of the moment on display, if it can answer so. */
export function atMoment<R extends Pick<RequestInfo, "endpoint" | "query">>(asked: R): R {
  const { endpoint, query = {} } = asked;
  const takes = READ_TIME in Object(Object(endpoint)["query"]);
  return shown !== undefined && takes && !(READ_TIME in query)
    ? { ...asked, query: { ...query, [READ_TIME]: shown } }
    : asked;
}
