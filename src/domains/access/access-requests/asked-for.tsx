import { useQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useCan } from "~/frame/permissions/use-can";
import { Notice } from "~/ui/feedback/notice";
import { isWithin } from "platform-contract/aip";
import { listAccessRequests } from "platform-contract/iam/access-requests";

import { waitingQuery } from "./waiting";

interface AskedForProps {
  readonly identity: string;
  /** uid of the group where a role would be granted; "" until one is chosen. */
  readonly group: string;
}

/** What somebody wrote who waits for access to a group or below it: for whoever grants it. */
export function AskedFor({ identity, group }: AskedForProps): ReactNode {
  const config = useRouteContext({ strict: false, select: (context) => context.config });
  const { allowed } = useCan(listAccessRequests, group || undefined);
  const { data } = useQuery({
    ...waitingQuery(group),
    enabled: group !== "" && allowed && config?.accessRequests === true,
  });
  const request = data?.items.find(
    ({ identityUid, groupUid = "" }) => identityUid === identity && isWithin(groupUid, group),
  );
  return request?.message ? (
    <Notice title={`${request.name ?? "They"} asked:`}>
      <bdi>{request.message}</bdi>
    </Notice>
  ) : null;
}
