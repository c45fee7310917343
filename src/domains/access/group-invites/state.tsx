import type { ReactNode } from "react";

import type { GroupInvite } from "platform-contract/iam/group-invites";
import { useNow } from "~/ui/clock";
import { Badge } from "~/ui/display/badge";
import { ExpiryBadge } from "~/ui/display/expiry";

import { isInState, SOON } from "./data";

/** Shows whether an invite is still pending, and updates over time. */
export function InviteState({ invite }: { readonly invite: GroupInvite }): ReactNode {
  const now = useNow(30);
  const ends = isInState(invite, "expired", now) || isInState(invite, "expiring", now);
  return ends ? (
    <ExpiryBadge value={invite.expirationTime} soon={SOON} />
  ) : (
    <Badge tone="accent">Pending</Badge>
  );
}
