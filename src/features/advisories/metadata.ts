import { queryOptions } from "@tanstack/react-query";

import type { QueryFacts } from "~/api/client/request-info";
import { call } from "~/api/client/client";
import { listMetadata, type VulnerabilityMetadata } from "~/contract/advisory/metadata";

/** More names than any vulnerability has; one request takes ten times as many. */
const NAMES = 100;

/** Records of a vulnerability are stored under each of its names: what is said in the same words counts once. */
function once(all: readonly VulnerabilityMetadata[]): VulnerabilityMetadata[] {
  const seen = new Set<string>();
  return all.filter(({ id: _id, ...said }) => {
    const words = JSON.stringify(said);
    return !seen.has(words) && seen.add(words);
  });
}

/** What is publicly known under any of these ids. */
export function metadataQuery(ids: readonly string[]) {
  const query = { ids: ids.slice(0, NAMES), page_size: NAMES };
  return queryOptions({
    queryKey: [listMetadata.collection, "ids", query] as const,
    meta: { requests: () => [{ endpoint: listMetadata, query }] } satisfies QueryFacts,
    queryFn: async ({ signal }) => once((await call(listMetadata, { query, signal })).items),
  });
}
