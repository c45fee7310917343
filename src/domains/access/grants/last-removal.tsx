import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { rowsOf } from "~/api/queries/queries";
import { Actor } from "~/domains/audit/log/actor";
import { entryLink } from "~/domains/audit/log/queries";
import { useHasAuditLog } from "~/domains/audit/log/use-audit-log";
import { useCan } from "~/frame/permissions/use-can";
import { listAuditEntries } from "platform-contract/audit/entries";
import { Time } from "~/ui/display/time";
import { AppLink } from "~/ui/layout/link";

import { removalOf } from "./origin";
import { aboutQuery } from "./queries";

/** When somebody without access lost it, and by whom, if the user can read that in the audit log. */
export function LastRemoval({ identity }: { readonly identity: string }): ReactNode {
  const hasLog = useHasAuditLog();
  const { allowed } = useCan(listAuditEntries, undefined);
  const { data } = useInfiniteQuery({ ...aboutQuery(identity), enabled: hasLog && allowed });
  const entry = removalOf(identity, rowsOf(data).rows);
  return entry ? (
    <p>
      Their last role was removed <Time value={entry.createTime} /> by <Actor of={entry} within />.{" "}
      <AppLink target={entryLink(entry.uid)}>Show in audit log</AppLink>
    </p>
  ) : null;
}
