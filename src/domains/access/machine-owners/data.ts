import { useInfiniteQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";

import { infinite, rowsOf } from "~/api/queries/queries";
import { listMachineOwners, type MachineOwner } from "platform-contract/iam/notices";
import { shorten } from "~/ui/display/shorten";

/** True if the service keeps who answers for machines. */
export const useKeepsOwners = (): boolean =>
  useRouteContext({ strict: false, select: ({ config }) => config?.notices === true });

const ownerQuery = (identity: string) => infinite(listMachineOwners, { identity, page_size: 1 });

/** The person who answers for a machine. */
export function useMachineOwner(identity: string) {
  const { data, error, refetch } = useInfiniteQuery(ownerQuery(identity));
  return { known: data !== undefined, owner: rowsOf(data).rows[0], error, refetch };
}

export const ownerNameOf = ({ ownerName, ownerEmail, ownerUid = "" }: MachineOwner): string =>
  ownerName || ownerEmail || shorten(ownerUid);
