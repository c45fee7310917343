import { useInfiniteQuery, type QueryClient } from "@tanstack/react-query";

import { infinite, rowsOf } from "~/api/queries/queries";
import { PAGE_SIZE_MAX } from "platform-contract/aip";
import {
  listTermsAcceptances,
  terms,
  type TermsAcceptance,
  type TermsDocument,
} from "platform-contract/iam/terms";

/** Documents in force for a group: its own and its ancestors'. */
const inForceQuery = (group: string) =>
  infinite(terms.list, { "uidp.ancestors_of": group, order_by: "name", page_size: PAGE_SIZE_MAX });

/** Acceptances that apply to a group: its own and its ancestors'. */
export const acceptancesQuery = (group: string) =>
  infinite(listTermsAcceptances, { page_size: PAGE_SIZE_MAX }, { path: { uid: group } });

/** Acceptances are not records and have no uid. */
export const acceptancesIn = (
  data: Parameters<typeof rowsOf<TermsAcceptance & { uid?: string }>>[0],
): readonly TermsAcceptance[] => rowsOf(data).rows;

/** Documents not yet accepted for a group, as far as the user can see them. */
export function useOutstandingTerms(group: string | undefined): readonly TermsDocument[] {
  const enabled = group !== undefined;
  const inForce = useInfiniteQuery({ ...inForceQuery(group ?? ""), enabled });
  const documents = rowsOf(inForce.data).rows;
  const accepted = useInfiniteQuery({
    ...acceptancesQuery(group ?? ""),
    enabled: enabled && documents.length > 0,
  });
  if (!accepted.data) return [];
  const names = new Set(acceptancesIn(accepted.data).map(({ docId }) => docId));
  return documents.filter(({ name }) => !names.has(name));
}

/** Fetches the documents in force for a group: their uids by name. */
export async function readInForce(client: QueryClient, group: string): Promise<ReadonlyMap<string, string>> {
  const data = await client.fetchInfiniteQuery(inForceQuery(group));
  return new Map(data.pages.flatMap(({ items }) => items.map(({ name, uid }) => [name, uid] as const)));
}
