import { queryOptions } from "@tanstack/react-query";

import { call } from "~/api/client/client";
import { batched, type FromBatch } from "~/api/queries/batched";
import type { QueryFacts } from "~/api/client/request-info";
import {
  getRegistryUsage,
  type UsageGrouping,
  type UsageRow,
} from "platform-contract/registry/usage";
import type { QueryOf } from "platform-contract/endpoint";

/** Key of the queries of rows, to refresh them with their list. */
export const USAGE_OF_ROWS = [getRegistryUsage.collection, "of rows"] as const;

/** Counts of pulls, as one request answers them. */
export function usageQuery(query: QueryOf<typeof getRegistryUsage>) {
  return queryOptions({
    queryKey: [getRegistryUsage.collection, getRegistryUsage.verb, query] as const,
    meta: { requests: () => [{ endpoint: getRegistryUsage, query }] } satisfies QueryFacts,
    queryFn: ({ signal }) => call(getRegistryUsage, { query, signal }),
  });
}

/** What is known of one repo or tag. */
export interface Usage {
  readonly uid: string;
  /** Undefined if it was not pulled since pulls are counted. */
  readonly row: UsageRow | undefined;
  /** Since when pulls are counted; undefined if they are not. */
  readonly countedSince: string | undefined;
}

/** Records of one request: its URL stays under the 8 kB that servers accept. */
const MOST_AT_ONCE = 50;

/** Reads the counts of repos or tags; one that was never pulled is there too. */
export async function readUsage(
  uids: Iterable<string>,
  by: "USAGE_GROUPING_REPO" | "USAGE_GROUPING_TAG",
  signal?: AbortSignal,
): Promise<Usage[]> {
  const all = [...uids];
  const found: Usage[] = [];
  for (let from = 0; from < all.length; from += MOST_AT_ONCE) {
    const some = all.slice(from, from + MOST_AT_ONCE);
    // oxlint-disable-next-line no-await-in-loop -- thousands of tags are read one request after another
    const { usage = [], countedSince } = await call(getRegistryUsage, {
      query: { "uidp.ids": some, by: [by] },
      signal,
    });
    const rows = new Map(usage.map((row) => [by === "USAGE_GROUPING_TAG" ? row.tag : row.repo, row]));
    found.push(...some.map((uid) => ({ uid, row: rows.get(uid), countedSince })));
  }
  return found;
}

/** The tags in a group or repo that are deprecated and still pulled, most downloads first. */
export async function readStillPulled(within: string | undefined, signal?: AbortSignal): Promise<string[]> {
  const { usage = [] } = await call(getRegistryUsage, { query: stillPulled(within), signal });
  return usage.flatMap(({ tag }) => tag ?? []);
}

export const stillPulled = (within: string | undefined): QueryOf<typeof getRegistryUsage> => ({
  ...(within !== undefined && { "uidp.descendants_of": within }),
  by: ["USAGE_GROUPING_TAG"],
  deprecated: true,
});

const READERS = {
  USAGE_GROUPING_REPO: batched<Usage>((uids) => readUsage(uids, "USAGE_GROUPING_REPO")),
  USAGE_GROUPING_TAG: batched<Usage>((uids) => readUsage(uids, "USAGE_GROUPING_TAG")),
} as const satisfies Partial<Record<UsageGrouping, unknown>>;

/** The counts of one row, read together with the other rows in view. */
export const usageOfRow = (uid: string, by: keyof typeof READERS) =>
  queryOptions({
    queryKey: [...USAGE_OF_ROWS, by, uid] as const,
    queryFn: () => READERS[by](uid),
    meta: {
      requests: (read: FromBatch<Usage> | undefined) => [
        {
          endpoint: getRegistryUsage,
          query: { "uidp.ids": (read?.uids ?? [uid]).slice(0, MOST_AT_ONCE), by: [by] },
        },
      ],
    } satisfies QueryFacts,
  });
