import { useInfiniteQuery, type QueryClient } from "@tanstack/react-query";

import { infinite, rowsOf } from "~/api/queries/queries";
import { PAGE_SIZE_MAX } from "~/contract/aip";
import { listTermsAcceptances, terms, type TermsAcceptance, type TermsDocument } from "~/contract/iam/terms";

/** Documents in force at a group: its own and those above it. */
const inForceQuery = (group: string) =>
  infinite(terms.list, { "uidp.ancestors_of": group, order_by: "name", page_size: PAGE_SIZE_MAX });

/** Acceptances that count at a group: its own and those above it. */
export const acceptancesQuery = (group: string) =>
  infinite(listTermsAcceptances, { page_size: PAGE_SIZE_MAX }, { path: { uid: group } });

/** Rows that are no records, and so have no uid. */
export const acceptancesIn = (
  data: Parameters<typeof rowsOf<TermsAcceptance & { uid?: string }>>[0],
): readonly TermsAcceptance[] => rowsOf(data).rows;

/** Documents that nobody has accepted for a group yet, as far as the person may see them. */
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

/** The documents in force at a group, read now: their uids by name. */
export async function readInForce(client: QueryClient, group: string): Promise<ReadonlyMap<string, string>> {
  const data = await client.fetchInfiniteQuery(inForceQuery(group));
  return new Map(data.pages.flatMap(({ items }) => items.map(({ name, uid }) => [name, uid] as const)));
}
