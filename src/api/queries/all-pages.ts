import { pagesOf } from "platform-client/pages";
import { PAGE_SIZE_MAX } from "platform-contract/aip";
import type { Endpoint } from "platform-contract/endpoint";
import type { ListAnswer, ListQuery } from "platform-contract/resource";

import { call } from "../client/client";

/** Reads all pages of a short list. Rejects with the ApiError of the first page that fails. */
export async function allPages<T>(
  list: Endpoint<ListQuery, undefined, ListAnswer<T>>,
  query: Readonly<Record<string, string | undefined>>,
): Promise<readonly T[]> {
  const found: T[] = [];
  const ask = (token: string | undefined) =>
    call(list, { query: { ...query, page_size: PAGE_SIZE_MAX, ...(token && { page_token: token }) } });
  for await (const { items } of pagesOf(ask)) found.push(...items);
  return found;
}
