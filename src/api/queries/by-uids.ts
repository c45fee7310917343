import type { RequestInfo } from "platform-client/request-info";
import type { Endpoint } from "platform-contract/endpoint";
import type { ListAnswer, ListQuery } from "platform-contract/resource";

import { call } from "../client/client";

/** Uids per request, so that its URL stays well under the 8 kB that servers accept. */
const BATCH_SIZE = 50;
/** Requests in flight at a time. */
const CONCURRENCY = 4;

const queryOf = (uids: readonly string[]) => ({ "uidp.ids": [...uids], page_size: BATCH_SIZE });

/**
 * Reads the records with these uids, any number of them, in no particular order; omits those that are gone or hidden. A
 * service without the filter, which the specification does not have, lists all records instead: those are skipped.
 * Rejects with the ApiError of the first request that fails.
 */
export async function byUids<T extends { readonly uid: string }>(
  list: Endpoint<ListQuery, undefined, ListAnswer<T>>,
  uids: Iterable<string>,
  signal?: AbortSignal,
  more: ListQuery = {},
): Promise<T[]> {
  const wanted = [...new Set(uids)];
  const batches = Array.from({ length: Math.ceil(wanted.length / BATCH_SIZE) }, (_, index) =>
    queryOf(wanted.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE)),
  ).values();
  const found: T[] = [];
  const work = async (): Promise<void> => {
    for (const query of batches) {
      let token: string | undefined;
      const missing = new Set(query["uidp.ids"]);
      // A page with large records holds fewer rows than requested (AIP-158).
      do {
        // oxlint-disable-next-line no-await-in-loop -- each worker has one request on its way
        const page = await call(list, {
          query: { ...query, ...more, ...(token && { page_token: token }) },
          signal,
        });
        for (const item of page.items) if (missing.delete(item.uid)) found.push(item);
        token = page.nextPageToken;
      } while (token && missing.size > 0);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return found;
}

/** The first request that `byUids` makes. */
export const requestByUids = (
  list: Pick<Endpoint, "method" | "path" | "summary">,
  uids: Iterable<string>,
): RequestInfo => ({ endpoint: list, query: queryOf([...new Set(uids)].slice(0, BATCH_SIZE)) });
