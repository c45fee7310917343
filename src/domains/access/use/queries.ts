import { queryOptions } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";

import { call } from "~/api/client/client";
import type { QueryFacts } from "~/api/client/request-info";
import { limiter } from "~/api/paging/limiter";
import { PAGE_SIZE_MAX } from "platform-contract/aip";
import type { QueryOf } from "platform-contract/endpoint";
import { listCapabilityUse, type CapabilityUse } from "platform-contract/iam/capability-use";

import type { UseFacts } from "./facts";

type Query = QueryOf<typeof listCapabilityUse>;

/** True if the service counts which capabilities are used. */
export const useRecordsUse = (): boolean =>
  useRouteContext({ strict: false, select: ({ config }) => config?.capabilityUse === true });

/** Reads what was used, up to so many rows. Rejects with an ApiError. */
export async function readUse(
  query: Query,
  { most, signal, tell }: { most: number; signal?: AbortSignal; tell?: (count: number) => void },
): Promise<UseFacts> {
  const rows: CapabilityUse[] = [];
  let since: string | undefined;
  let token: string | undefined;
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page has the token of the next
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(query, token, signal);
    rows.push(...page.items);
    since = page.recordedSince;
    token = page.nextPageToken;
    tell?.(rows.length);
  } while (token !== undefined && rows.length < most);
  return { rows, since, complete: token === undefined };
}

const readPage = (query: Query, token: string | undefined, signal: AbortSignal | undefined) =>
  call(listCapabilityUse, {
    query: { ...query, page_size: PAGE_SIZE_MAX, ...(token !== undefined && { page_token: token }) },
    signal,
  });

/** Shared by all rows of a table: the page's own requests have priority. */
const limited = limiter(4);

/** Rows that are read of one identity: some hundred capabilities in some groups. */
const MOST = 2_000;

/** What an identity has used, everywhere or in one group and below. */
export function useOf(identity: string, group?: string) {
  const query = { identity, ...(group !== undefined && { "uidp.descendants_of": group }) };
  return queryOptions({
    queryKey: [listCapabilityUse.collection, listCapabilityUse.verb, query] as const,
    meta: { requests: () => [{ endpoint: listCapabilityUse, query }] } satisfies QueryFacts,
    queryFn: ({ signal }) => limited(() => readUse(query, { most: MOST, signal }), signal),
  });
}
