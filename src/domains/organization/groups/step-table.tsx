import type { ReactNode } from "react";

import type { Kind } from "platform-contract/kind";
import { wordsInside } from "platform-contract/kinds";
import { Dash } from "~/ui/display/dash";
import { ListTable } from "~/ui/table/list-table";
import { READ, type Column } from "~/ui/table/types";

import classes from "./styles.module.css";
import { useRecordLink } from "./use-record-link";

/** What a plan does with one record. */
export interface Step {
  readonly uid: string;
  readonly name: string;
  readonly kind: Kind;
  /** Name of the parent record; "" for an organization. */
  readonly where: string;
}

const kindOf = ({ kind }: Step): string => wordsInside(kind)[0];
const nameOf = ({ name }: Step): string => name;
const uidOf = ({ uid }: Step): string => uid;

interface StepTableProps<S extends Step> {
  readonly steps: readonly S[];
  readonly note?: (step: S) => string | undefined;
}

/** Lists every record of a plan in its order. */
export function StepTable<S extends Step>({ steps, note }: StepTableProps<S>): ReactNode {
  const linkTo = useRecordLink();
  const columns: readonly Column<S>[] = [
    { id: "name", header: "Name", width: "minmax(9rem, 3fr)", cell: nameOf },
    { id: "kind", header: "Kind", width: "8rem", cell: kindOf },
    { id: "in", header: "Folder", width: "minmax(6rem, 2fr)", cell: ({ where }) => where || <Dash /> },
    ...(note
      ? [
          {
            id: "note",
            header: "Note",
            width: "minmax(6rem, 2fr)",
            cell: (step: S) => note(step) ?? <Dash />,
          },
        ]
      : []),
  ];
  const summary = (step: S): string =>
    [kindOf(step), step.where && `in ${step.where}`, note?.(step)].filter(Boolean).join(", ");
  return (
    <div className={classes["plan"]}>
      <ListTable
        label="Steps"
        query={READ}
        rows={steps}
        total={steps.length}
        rowKey={uidOf}
        rowName={nameOf}
        rowLink={linkTo}
        summary={summary}
        columns={columns}
        emptyState={null}
      />
    </div>
  );
}
