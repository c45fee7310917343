import { hashKey, type Query, type QueryKey } from "@tanstack/react-query";

import type { RequestInfo } from "platform-client/request-info";

import { requestInfoOf } from "~/api/client/request-info";

export interface ShownRequest {
  readonly asked: RequestInfo;
  /** Additional information. */
  readonly note?: string;
}

export interface PageRequests {
  /** Requests for the list or record that the page is about, and for its contents. */
  readonly screen: readonly ShownRequest[];
  readonly around: readonly ShownRequest[];
}

type Known = Pick<Query, "queryKey" | "meta" | "state" | "isActive">;

const SCANNED =
  "and every following page: the API doesn't support one of your filters or the sort order, so the console reads the whole list";

/** A key for a list or a scan of it, regardless of page size. */
function listOf([collection, verb, input]: QueryKey): string {
  const { page_size: _size, ...query }: Readonly<Record<string, unknown>> = Object(input);
  return hashKey([collection, verb === "scan" ? "list" : verb, query]);
}

/** True if a request is about a record, by its path or by a filter. */
const isAbout = ({ path, query = {} }: RequestInfo, uid: string): boolean =>
  path?.["uid"] === uid || Object.values(query).includes(uid);

/**
 * The distinct requests of all active queries. The screen's own are those of its `list`; without one, those about its
 * record or group (`uid`), the record itself first; otherwise all of them.
 */
export function requestsOf(
  queries: readonly Known[],
  { list, uid }: { readonly list: QueryKey | undefined; readonly uid: string | undefined },
): PageRequests {
  const seen = new Set<string>();
  const screen: ShownRequest[] = [];
  const around: ShownRequest[] = [];
  const wanted = list && listOf(list);
  for (const query of queries) {
    if (!query.isActive()) continue;
    const { queryKey, meta, state } = query;
    for (const asked of requestInfoOf(meta, state.data)) {
      const { endpoint, path, query: parameters } = asked;
      const key = hashKey([endpoint.method, endpoint.path, path, parameters]);
      if (seen.has(key)) continue;
      seen.add(key);
      const own =
        wanted === undefined ? uid !== undefined && isAbout(asked, uid) : listOf(queryKey) === wanted;
      (own ? screen : around).push(queryKey[1] === "scan" ? { asked, note: SCANNED } : { asked });
    }
  }
  // On a page without a list or a record, all requests are its own.
  if (screen.length === 0) return { screen: around, around: [] };
  return { screen: screen.toSorted((a, b) => Number(!!b.asked.path) - Number(!!a.asked.path)), around };
}
