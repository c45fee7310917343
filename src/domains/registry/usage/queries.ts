import { queryOptions } from "@tanstack/react-query";

import { call } from "~/api/client/client";
import { batched, type FromBatch } from "~/api/queries/batched";
import type { QueryFacts } from "~/api/client/request-info";
import { getRegistryUsage, type UsageGrouping, type UsageRow } from "platform-contract/registry/usage";
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
  let countedSince: string | undefined;
  const rows = new Map<string | undefined, UsageRow>();
  for await (const answer of answersOf(all, [by], signal)) {
    countedSince = answer.countedSince;
    for (const row of answer.usage ?? []) rows.set(by === "USAGE_GROUPING_TAG" ? row.tag : row.repo, row);
  }
  return all.map((uid) => ({ uid, row: rows.get(uid), countedSince }));
}

/** The answers about many repos or tags, one request after another. */
async function* answersOf(uids: readonly string[], by: UsageGrouping[], signal?: AbortSignal) {
  for (let from = 0; from < uids.length; from += MOST_AT_ONCE)
    yield call(getRegistryUsage, {
      query: { "uidp.ids": uids.slice(from, from + MOST_AT_ONCE), by },
      signal,
    });
}

async function readUsageOf(uids: readonly string[], by: UsageGrouping[]): Promise<UsageRow[]> {
  const rows: UsageRow[] = [];
  for await (const { usage = [] } of answersOf(uids, by)) rows.push(...usage);
  return rows;
}

/** Who has pulled a tag in the last days, most downloads first. */
interface Pullers {
  readonly uid: string;
  readonly pullers: readonly UsageRow[];
}

const pullersOf = batched<Pullers>(async (uids) => {
  const found = new Map<string, UsageRow[]>();
  for (const row of await readUsageOf([...uids], ["USAGE_GROUPING_TAG", "USAGE_GROUPING_IDENTITY"])) {
    const { tag = "", downloads = 0, asks = 0 } = row;
    if (downloads + asks > 0) found.set(tag, [...(found.get(tag) ?? []), row]);
  }
  return [...found].map(([uid, pullers]) => ({ uid, pullers }));
});

/** Who pulls the tag of a row, read together with the other rows in view. */
export const pullersOfRow = (uid: string) =>
  queryOptions({
    queryKey: [...USAGE_OF_ROWS, "pullers", uid] as const,
    queryFn: () => pullersOf(uid),
  });

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
