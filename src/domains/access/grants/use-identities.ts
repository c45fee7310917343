import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";

import { infinite, rowsOf } from "~/api/queries/queries";
import { identities, type Identity } from "platform-contract/iam/identities";

/**
 * Reads identities by uid in one request. Identities that the user may not see are missing, such as people without a
 * role yet: a list omits what a direct request would refuse.
 */
export function useIdentities(uids: readonly string[]): {
  readonly known: ReadonlyMap<string, Identity>;
  readonly pending: boolean;
} {
  const { data, isPending, isPlaceholderData } = useInfiniteQuery({
    ...infinite(identities.list, { "uidp.ids": [...uids], page_size: Math.max(uids.length, 1) }),
    enabled: uids.length > 0,
    placeholderData: keepPreviousData,
  });
  return {
    known: new Map(rowsOf(data).rows.map((identity) => [identity.uid, identity])),
    pending: isPending || isPlaceholderData,
  };
}
