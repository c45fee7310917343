import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useCan } from "~/frame/permissions/use-can";
import { getRegistryUsage } from "platform-contract/registry/usage";
import { formatCount } from "~/ui/display/numbers";
import { Time } from "~/ui/display/time";
import { errorFacts } from "~/ui/feedback/error-facts";
import { LoadingCell, UnknownCell } from "~/ui/table/cell-states";
import type { Column } from "~/ui/table/types";
import { useNow } from "~/ui/clock";
import { useSettled } from "~/ui/use-settled";

import { usageOfRow, type Usage } from "./queries";
import classes from "./usage.module.css";
import { countUnknown, lastPull, NOT_COUNTED, pullsText } from "./words";

type Grouping = Parameters<typeof usageOfRow>[1];

interface CellProps {
  readonly uid: string;
  readonly by: Grouping;
  readonly children: (usage: Usage) => ReactNode;
}

/** Reads the counts of a row. An error affects only the cell. */
function UsageCell({ uid, by, children }: CellProps): ReactNode {
  // Without the permission the answer has only the reader's own pulls, which is no count of the row.
  const { allowed, reason } = useCan(getRegistryUsage, uid);
  const { data, error } = useQuery({ ...usageOfRow(uid, by), enabled: useSettled() && allowed });
  if (!allowed) return <UnknownCell why={reason} />;
  if (!data) return error ? <UnknownCell why={errorFacts(error).message} /> : <LoadingCell />;
  return data.record ? children(data.record) : <UnknownCell why={NOT_COUNTED} />;
}

/** When something was last pulled. */
export function LastPulled({
  usage,
  pushed,
}: {
  readonly usage: Pick<Usage, "row" | "countedSince">;
  readonly pushed: string | undefined;
}): ReactNode {
  const last = lastPull(usage, pushed);
  if (last.state === "unknown") return <UnknownCell why={last.why} />;
  if (last.state === "not yet") return <span className={classes["quiet"]}>Not yet</span>;
  if (last.state === "downloaded") return <Time value={last.time} />;
  return (
    <span className={classes["quiet"]} data-tip="Only requested: nothing was downloaded">
      requested <Time value={last.time} />
    </span>
  );
}

function Pulls({ usage }: { readonly usage: Usage }): ReactNode {
  const { row, countedSince } = usage;
  const now = useNow(3_600);
  const why = countUnknown(usage, now);
  if (why !== undefined) return <UnknownCell why={why} />;
  return <span data-tip={pullsText(row, countedSince, now)}>{formatCount(row?.downloads ?? 0)}</span>;
}

interface Pulled {
  readonly uid: string;
  readonly createTime?: string | undefined;
  readonly updateTime?: string | undefined;
}

/** Columns about pulls, of repos or of tags. */
export const usageColumns = <T extends Pulled>(by: Grouping, hideBelow: number): readonly Column<T>[] => [
  {
    id: "lastPulled",
    header: "Last pulled",
    width: "8.5rem",
    hideBelow,
    // A tag that moves is pushed again.
    cell: ({ uid, createTime, updateTime }) => (
      <UsageCell uid={uid} by={by}>
        {(usage) => (
          <LastPulled usage={usage} pushed={by === "USAGE_GROUPING_TAG" ? updateTime : createTime} />
        )}
      </UsageCell>
    ),
    text: false,
  },
  {
    id: "pulls",
    header: "Pulls, 30 days",
    width: "7.5rem",
    align: "end",
    hideBelow: hideBelow + 120,
    cell: ({ uid }) => (
      <UsageCell uid={uid} by={by}>
        {(usage) => <Pulls usage={usage} />}
      </UsageCell>
    ),
    text: false,
  },
];
