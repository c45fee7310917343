import {
  TriangleAlertIcon,
  CircleCheckIcon,
  ClockIcon,
  BanIcon,
  CircleQuestionMarkIcon,
  RefreshCwIcon,
  type LucideIcon,
} from "lucide-react";
import { useMemo, type ReactNode } from "react";

import type { BulkItem } from "~/api/bulk/bulk-job";
import type { ItemState } from "~/api/bulk/outcome";
import type { JobWords } from "~/api/bulk/storage";
import { Badge } from "~/ui/display/badge";
import { Dash } from "~/ui/display/dash";
import { shorten } from "~/ui/display/shorten";
import { ListTable } from "~/ui/table/list-table";
import { READ, type Column } from "~/ui/table/types";

import classes from "./bulk-delete.module.css";
import { outcomeText } from "./words";

type Tone = Parameters<typeof Badge>[0]["tone"];

const LOOKS: Readonly<Record<ItemState, readonly [icon: LucideIcon, tone: Tone]>> = {
  queued: [ClockIcon, "neutral"],
  sending: [RefreshCwIcon, "accent"],
  done: [CircleCheckIcon, "success"],
  failed: [TriangleAlertIcon, "danger"],
  unknown: [CircleQuestionMarkIcon, "warning"],
  canceled: [BanIcon, "neutral"],
};

function Outcome({ state, words }: { readonly state: ItemState; readonly words: JobWords }): ReactNode {
  const [Glyph, tone] = LOOKS[state];
  return (
    <Badge icon={<Glyph />} tone={tone ?? "neutral"}>
      {outcomeText(state, words)}
    </Badge>
  );
}

const NEW_ID: Column<BulkItem> = {
  id: "newUid",
  header: "New ID",
  width: "minmax(8rem, 2fr)",
  cell: ({ newUid }) => (newUid === undefined ? <Dash /> : <code>{shorten(newUid)}</code>),
};

const columnsOf = (words: JobWords, isMade: boolean): readonly Column<BulkItem>[] => [
  { id: "name", header: "Name", width: "minmax(8rem, 2fr)", cell: ({ name }) => name },
  {
    id: "outcome",
    header: "Outcome",
    width: "9rem",
    cell: ({ state }) => <Outcome state={state} words={words} />,
  },
  ...(isMade ? [NEW_ID] : []),
  { id: "reason", header: "Reason", width: "minmax(8rem, 3fr)", cell: ({ reason }) => reason ?? <Dash /> },
];

interface BulkItemsProps {
  readonly words: JobWords;
  readonly items: readonly BulkItem[];
}

const uidOf = ({ uid }: BulkItem): string => uid;
const nameOf = ({ name }: BulkItem): string => name;

/** A table of the items and their outcomes. */
export function BulkItems({ words, items }: BulkItemsProps): ReactNode {
  const isMade = items.some(({ newUid }) => newUid !== undefined);
  const columns = useMemo(() => columnsOf(words, isMade), [words, isMade]);
  const summary = ({ state, reason }: BulkItem) =>
    [outcomeText(state, words), reason].filter(Boolean).join(": ");
  return (
    <ListTable
      label={`Outcomes: ${words.many}`}
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
