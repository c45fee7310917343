import type { RetryPolicy } from "~/api/paging/retry-policy";
import { infinite } from "~/api/queries/queries";
import type { Endpoint } from "platform-contract/endpoint";
import { PAGE_SIZE_MAX } from "platform-contract/aip";
import type { ListAnswer, ListQuery } from "platform-contract/resource";
import { readAll } from "~/frame/bulk-delete/read-all";

import type { ImportKind } from "./kinds";

interface Item {
  readonly uid: string;
}

/** What a folder has already, by the field that tells records apart, in lower case. Rejects with an ApiError. */
export async function readExisting(
  { resource, key }: ImportKind,
  parent: string,
  reading: { readonly retryPolicy: RetryPolicy; readonly signal: AbortSignal },
): Promise<ReadonlySet<string>> {
  const list = infinite(resource.list as Endpoint<ListQuery, undefined, ListAnswer<Item>>, {
    "uidp.children_of": parent,
    order_by: "uid",
    page_size: PAGE_SIZE_MAX,
  });
  const found = await readAll<Item>(list, () => true, reading);
  const now = Date.now();
  return new Set(
    found.flatMap((record) => {
      const { [key]: value, expirationTime }: Readonly<Record<string, unknown>> = Object(record);
      // An invite that ended doesn't stand in the way of another.
      const ended = typeof expirationTime === "string" && Date.parse(expirationTime) <= now;
      return typeof value === "string" && value !== "" && !ended ? [value.toLowerCase()] : [];
    }),
  );
}
