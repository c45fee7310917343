import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { rowsOf } from "~/api/queries/queries";
import { Justification } from "~/frame/record/justification";
import { Actor } from "~/domains/audit/log/actor";
import { useHasAuditLog } from "~/domains/audit/log/use-audit-log";
import { useCan } from "~/frame/permissions/use-can";
import { parentOf, rootOf } from "platform-contract/aip";
import { listAuditEntries } from "platform-contract/audit/entries";
import type { RoleBinding } from "platform-contract/iam/role-bindings";
import { Time } from "~/ui/display/time";

import { identityUidOf } from "./bindings";
import { originOf } from "./origin";
import { aboutQuery, firstQuery } from "./queries";
import classes from "./styles.module.css";

/** When a role was granted, and by whom, as far as the audit log tells; also if it had been held before. */
export function Granted({ binding }: { readonly binding: RoleBinding }): ReactNode {
  const hasLog = useHasAuditLog();
  const { allowed } = useCan(listAuditEntries, parentOf(binding.uid));
  const enabled = hasLog && allowed;
  const about = useInfiniteQuery({ ...aboutQuery(identityUidOf(binding)), enabled });
  const { rows } = rowsOf(about.data);
  const known = originOf(binding, rows, undefined);
  const first = useInfiniteQuery({
    ...firstQuery(rootOf(parentOf(binding.uid))),
    enabled: enabled && about.data !== undefined && !known.made && !known.older,
  });
  const { made, older, first: before } = originOf(binding, rows, rowsOf(first.data).rows[0]?.createTime);
  return (
    <>
      {before ? "again " : ""}
      <Time value={binding.createTime} />
      {made ? (
        <span className={classes["origin"]}>
          by <Actor of={made} within />
          <Justification of={made} />
        </span>
      ) : null}
      {older ? <span className={classes["origin"]}>before the log began</span> : null}
      {before ? (
        <span className={classes["origin"]}>
          first granted <Time value={before.time} />
          {before.made ? (
            <>
              {" "}
              by <Actor of={before.made} within />
            </>
          ) : null}
        </span>
      ) : null}
    </>
  );
}
