import type { ReactNode } from "react";

import type { Group } from "platform-contract/iam/groups";
import { capitalize } from "~/ui/display/capitalize";
import { Badge } from "~/ui/display/badge";

import { kindOf, organizationStatus } from "./group-words";

/** What a group is, and what is unusual about it. An organization that is ready, as most are, does not say so. */
export function GroupBadges({ group }: { readonly group: Group }): ReactNode {
  const status = organizationStatus(group.status);
  return (
    <>
      <Badge tone="quiet">{capitalize(kindOf(group.uid))}</Badge>
      {group.verified && <Badge tone="accent">Verified</Badge>}
      {status && status.tone !== "success" && <Badge tone={status.tone}>{status.word}</Badge>}
    </>
  );
}
