import type { ReactNode } from "react";

import { wordsInside } from "platform-contract/kinds";
import { Dash } from "~/ui/display/dash";
import { ListTable } from "~/ui/table/list-table";
import { READ, type Column } from "~/ui/table/types";

import type { TeardownStep } from "./plan";
import classes from "./styles.module.css";
import { useRecordLink } from "./use-record-link";

const kindOf = ({ kind }: TeardownStep): string => wordsInside(kind)[0];
const noteOf = ({ refused, own }: TeardownStep): string | undefined =>
  refused ?? (own ? "Your own access" : undefined);
const nameOf = ({ name }: TeardownStep): string => name;
const uidOf = ({ uid }: TeardownStep): string => uid;

const columns: readonly Column<TeardownStep>[] = [
  { id: "name", header: "Name", width: "minmax(9rem, 3fr)", cell: nameOf },
  { id: "kind", header: "Kind", width: "8rem", cell: kindOf },
  { id: "in", header: "Folder", width: "minmax(6rem, 2fr)", cell: ({ where }) => where || <Dash /> },
  { id: "note", header: "Note", width: "minmax(6rem, 2fr)", cell: (step) => noteOf(step) ?? <Dash /> },
];

const summary = (step: TeardownStep): string =>
  [kindOf(step), step.where && `in ${step.where}`, noteOf(step)].filter(Boolean).join(", ");

/** Lists every record of the plan in order of deletion. */
export function StepTable({ steps }: { readonly steps: readonly TeardownStep[] }): ReactNode {
  const linkTo = useRecordLink();
  return (
    <div className={classes["steps"]}>
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
