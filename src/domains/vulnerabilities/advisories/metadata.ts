import { queryOptions } from "@tanstack/react-query";

import type { QueryFacts } from "~/api/client/request-info";
import { call } from "~/api/client/client";
import { listMetadata, type VulnerabilityMetadata } from "platform-contract/advisory/metadata";

/** More aliases than any vulnerability has; one request accepts ten times as many. */
const NAMES = 100;

/** Removes duplicates: a vulnerability is stored once under each of its names, often with the same content. */
function once(all: readonly VulnerabilityMetadata[]): VulnerabilityMetadata[] {
  const seen = new Set<string>();
  return all.filter(({ id: _id, ...said }) => {
    const words = JSON.stringify(said);
    return !seen.has(words) && seen.add(words);
  });
}

/** Public metadata for any of these ids. */
export function metadataQuery(ids: readonly string[]) {
  const query = { ids: ids.slice(0, NAMES), page_size: NAMES };
  return queryOptions({
    queryKey: [listMetadata.collection, "ids", query] as const,
    meta: { requests: () => [{ endpoint: listMetadata, query }] } satisfies QueryFacts,
    queryFn: async ({ signal }) => once((await call(listMetadata, { query, signal })).items),
  });
}
