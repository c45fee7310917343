import {
  AlertIcon,
  CheckCircleIcon,
  ClockIcon,
  CircleSlashIcon,
  QuestionIcon,
  StopIcon,
  SyncIcon,
  type Icon,
} from "@primer/octicons-react";
import type { ReactNode } from "react";

import type { ItemState, LedgerItem } from "~/api/bulk/items";
import { Badge } from "~/ui/display/badge";
import { Dash } from "~/ui/display/dash";
import { ListTable } from "~/ui/table/list-table";
import { READ, type Column } from "~/ui/table/types";

import classes from "./bulk-delete.module.css";
import { OUTCOMES } from "./words";

type Tone = Parameters<typeof Badge>[0]["tone"];

const LOOKS: Readonly<Record<ItemState, readonly [icon: Icon, tone: Tone]>> = {
  queued: [ClockIcon, "neutral"],
  sending: [SyncIcon, "accent"],
  waiting: [ClockIcon, "warning"],
  checking: [SyncIcon, "accent"],
  done: [CheckCircleIcon, "success"],
  gone: [CheckCircleIcon, "success"],
  refused: [StopIcon, "danger"],
  failed: [AlertIcon, "danger"],
  unknown: [QuestionIcon, "warning"],
  unsent: [CircleSlashIcon, "neutral"],
};

function Outcome({ state }: { state: ItemState }): ReactNode {
  const [Glyph, tone] = LOOKS[state];
  return (
    <Badge icon={<Glyph size={16} />} tone={tone ?? "neutral"}>
      {OUTCOMES[state]}
    </Badge>
  );
}

const columns: readonly Column<LedgerItem>[] = [
  { id: "name", header: "Name", width: "minmax(8rem, 2fr)", cell: ({ name }) => name },
  { id: "outcome", header: "Outcome", width: "9rem", cell: ({ state }) => <Outcome state={state} /> },
  { id: "reason", header: "Reason", width: "minmax(8rem, 3fr)", cell: ({ reason }) => reason ?? <Dash /> },
];

interface LedgerItemsProps {
  readonly label: string;
  readonly items: readonly LedgerItem[];
}

const uidOf = ({ uid }: LedgerItem): string => uid;
const nameOf = ({ name }: LedgerItem): string => name;
const summary = ({ state, reason }: LedgerItem): string =>
  [OUTCOMES[state], reason].filter(Boolean).join(": ");

/** What became of each item; as many as there are, in the table of all lists. */
export function BulkItems({ label, items }: LedgerItemsProps): ReactNode {
  return (
    <ListTable
      label={label}
      query={READ}
      rows={items}
      total={items.length}
      rowKey={uidOf}
      rowName={nameOf}
      summary={summary}
      columns={columns}
      emptyState={<p className={classes["none"]}>Nothing failed.</p>}
    />
  );
}
