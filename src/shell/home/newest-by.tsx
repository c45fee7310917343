import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useCurrentUser } from "~/frame/permissions/current-user";
import { useCan } from "~/frame/permissions/use-can";
import { rowsOf } from "~/api/queries/queries";
import { listAuditEntries } from "platform-contract/audit/entries";
import { newestQuery, type Historical } from "~/domains/audit/log/queries";
import { useHasAuditLog } from "~/domains/audit/log/use-audit-log";
import { byWords, isImport, says } from "~/domains/audit/log/who";

import classes from "./styles.module.css";

interface NewestProps {
  readonly record: Historical;
  /** uid of the group whose newest changes are on the screen. */
  readonly group: string | undefined;
  /** Shown if the log doesn't say. */
  readonly otherwise: ReactNode;
}

/** Who made one of the newest changes in a group: one request tells all of them. */
function NewestBy({ record, group, otherwise }: NewestProps): ReactNode {
  const { allowed } = useCan(listAuditEntries, group);
  const known = useCurrentUser().state !== "loading";
  const { data, isLoading } = useInfiniteQuery({ ...newestQuery(group), enabled: allowed && known });
  const entry = rowsOf(data).rows.find((each) => says(each, record, "created", "updated"));
  // An import came after the time that is shown.
  if (!entry || isImport(entry)) return isLoading ? null : otherwise;
  const who = byWords(entry);
  return (
    <span className={classes["by"]} data-tip={who}>
      by <bdi>{who}</bdi>,
    </span>
  );
}

/** The same; only what is shown otherwise if the service has no audit log. */
export const ChangedBy = (props: NewestProps): ReactNode =>
  useHasAuditLog() ? <NewestBy {...props} /> : props.otherwise;
