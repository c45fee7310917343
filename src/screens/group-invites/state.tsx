import type { ReactNode } from "react";

import type { GroupInvite } from "~/contract/iam/group-invites";
import { useNow } from "~/ui/clock";
import { Badge } from "~/ui/display/badge";

import { isExpired } from "./data";

/** Shows whether an invite is still pending, and updates over time. */
export function State({ invite }: { readonly invite: GroupInvite }): ReactNode {
  const now = useNow(30);
  return isExpired(invite, now) ? (
    <Badge tone="warning">Expired</Badge>
  ) : (
    <Badge tone="accent">Pending</Badge>
  );
}
