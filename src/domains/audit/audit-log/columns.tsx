import type { ReactNode } from "react";

import { isBelow, rootOf } from "platform-contract/aip";
import type { AuditEntry } from "platform-contract/audit/entries";
import { KINDS } from "platform-contract/kinds";
import { Actor } from "~/domains/audit/log/actor";
import { actorWords } from "~/domains/audit/log/who";
import { recordLink } from "~/frame/scope/record-link";
import { actionWords, outcomeWords, recordWords } from "~/domains/audit/log/words";
import { Ancestors, createdColumn, groupColumn } from "~/frame/list/columns";
import { Dash } from "~/ui/display/dash";
import { State } from "~/ui/display/state";
import { AppLink } from "~/ui/layout/link";
import type { Column } from "~/ui/table/types";
import { uidColumn } from "~/ui/table/uid-column";

/** The record, as a link unless this entry is its deletion. */
export function RecordOf({ entry }: { readonly entry: AuditEntry }): ReactNode {
  const words = recordWords(entry);
  if (words === "") return <Dash label="none" />;
  const link = entry.record && entry.change !== "deleted" ? recordLink(entry.record) : undefined;
  return link ? (
    <AppLink target={link}>
      <bdi>{words}</bdi>
    </AppLink>
  ) : (
    <bdi>{words}</bdi>
  );
}

export function Outcome({ of: { outcome } }: { readonly of: AuditEntry }): ReactNode {
  const { word, tone } = outcomeWords(outcome);
  return <State tone={tone}>{word}</State>;
}

/** The uid whose ancestors the entry's column shows: a folder's own, which may be gone, so that its parent is named. */
export const placedUid = ({ uid, record }: AuditEntry): string =>
  record?.kind === KINDS.groups.collection && isBelow(record.uid, rootOf(record.uid)) ? record.uid : uid;

export const columns: readonly Column<AuditEntry>[] = [
  {
    id: "action",
    header: "Action",
    width: "minmax(10rem, 2fr)",
    cell: (entry) => actionWords(entry),
  },
  {
    id: "record",
    header: "Record",
    width: "minmax(11rem, 3fr)",
    cell: (entry) => <RecordOf entry={entry} />,
    text: (entry) => recordWords(entry),
  },
  {
    id: "actor",
    header: "Actor",
    width: "minmax(9rem, 2fr)",
    cell: (entry) => <Actor of={entry} />,
    text: actorWords,
  },
  {
    id: "justification",
    header: "Reason",
    width: "minmax(9rem, 2fr)",
    optional: true,
    inFile: true,
    cell: ({ justification }) => (justification ? <bdi>{justification}</bdi> : <Dash label="none" />),
    text: ({ justification }) => justification ?? "",
  },
  groupColumn({
    hideBelow: 960,
    width: "minmax(8rem, 2fr)",
    cell: (entry) => <Ancestors uid={placedUid(entry)} once={entry.names} />,
  }),
  {
    id: "outcome",
    header: "Outcome",
    width: "6rem",
    hideBelow: 840,
    cell: (entry) => <Outcome of={entry} />,
    text: ({ outcome }) => outcomeWords(outcome).word,
  },
  {
    id: "address",
    header: "Address",
    width: "9rem",
    hideBelow: 1200,
    cell: ({ request }) =>
      request?.address ? <code dir="ltr">{request.address}</code> : <Dash label="none" />,
    text: ({ request }) => request?.address ?? "",
  },
  {
    id: "jti",
    header: "Token ID",
    width: "9rem",
    optional: true,
    inFile: true,
    cell: ({ actor }) => (actor?.jti ? <code dir="ltr">{actor.jti}</code> : <Dash label="none" />),
    text: ({ actor }) => actor?.jti ?? "",
  },
  createdColumn({ header: "Time", hideBelow: 600 }),
  uidColumn,
];
