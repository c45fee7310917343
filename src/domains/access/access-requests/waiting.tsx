import { queryOptions, useQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useCan } from "~/frame/permissions/use-can";
import { call } from "~/api/client/client";
import { totalOf } from "platform-client/wire";
import { listAccessRequests } from "platform-contract/iam/access-requests";

import { WAITING } from "./keys";
import { WaitingList } from "./lazy-parts";

/** Requests on a page; further ones appear as these are answered. */
const SHOWN = 20;

/** The newest requests in a group and below it, or everywhere. */
export function waitingQuery(group: string | undefined) {
  const query = { page_size: SHOWN, ...(group !== undefined && { "uidp.descendants_of": group }) };
  return queryOptions({
    queryKey: [...WAITING, query],
    queryFn: ({ signal }) => call(listAccessRequests, { query, signal }),
  });
}

interface WaitingProps {
  /** uid of the scope; undefined for everything that the user can see. */
  readonly group: string | undefined;
}

/** The access requests that the user can answer; nothing if there are none. */
export function WaitingRequests({ group }: WaitingProps): ReactNode {
  const config = useRouteContext({ strict: false, select: (context) => context.config });
  const { allowed } = useCan(listAccessRequests, group);
  const { data } = useQuery({
    ...waitingQuery(group),
    enabled: allowed && config?.accessRequests === true,
  });
  return data && data.items.length > 0 ? <WaitingList requests={data.items} total={totalOf(data)} /> : null;
}
