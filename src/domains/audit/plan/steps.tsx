import { CircleMinusIcon, CirclePlusIcon, PencilIcon, type LucideIcon } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { PlanStep, UidOfCreated } from "platform-client/plan/planned";
import { kindIn } from "platform-client/snapshots/format";
import { Badge } from "~/ui/display/badge";
import { Dash } from "~/ui/display/dash";
import { Uid } from "~/ui/display/uid";
import { visible } from "~/ui/display/visible";
import { Notice } from "~/ui/feedback/notice";
import { Sheet } from "~/ui/overlay/sheet";
import { ListTable } from "~/ui/table/list-table";
import { READ, type Column } from "~/ui/table/types";
import { Fields } from "~/domains/audit/snapshots/results";

import classes from "./plan.module.css";

type How = PlanStep["how"];

const LOOKS: Readonly<
  Record<How, readonly [word: string, icon: LucideIcon, tone: "success" | "danger" | "accent"]>
> = {
  create: ["Create", CirclePlusIcon, "success"],
  update: ["Change", PencilIcon, "accent"],
  delete: ["Delete", CircleMinusIcon, "danger"],
};

function HowBadge({ how }: Pick<PlanStep, "how">): ReactNode {
  const [word, Icon, tone] = LOOKS[how];
  return (
    <Badge icon={<Icon />} tone={tone}>
      {word}
    </Badge>
  );
}

/** A value with what stands for uids that nobody knows yet written out: the record is named. */
function told(value: unknown): unknown {
  const { ref } = Object(value) as Partial<UidOfCreated>;
  return typeof ref === "string" ? `known once it is done: ${ref}` : value;
}

const fieldsText = ({ how, fields }: PlanStep): string =>
  how === "update" ? fields.map(({ path }) => path).join(", ") : "";

/** Steps that need no high table. */
const FEW = 6;

interface StepsProps {
  readonly steps: readonly PlanStep[];
  /** What the service would refuse, by the ids of the steps. */
  readonly refused: ReadonlyMap<string, string>;
}

/** Every step of a plan in its order; selecting one opens its fields. */
export function Steps({ steps, refused }: StepsProps): ReactNode {
  const [shown, setShown] = useState<PlanStep>();
  const columns: readonly Column<PlanStep>[] = [
    { id: "path", header: "Record", width: "minmax(12rem, 3fr)", cell: ({ path }) => visible(path) },
    { id: "how", header: "Step", width: "7.5rem", cell: HowBadge, hideBelow: 480 },
    {
      id: "kind",
      header: "Kind",
      width: "9rem",
      cell: ({ collection }) => kindIn(collection).noun,
      hideBelow: 600,
    },
    {
      id: "fields",
      header: "Fields",
      width: "minmax(8rem, 2fr)",
      cell: (step) => fieldsText(step) || <Dash />,
      hideBelow: 700,
    },
    ...(refused.size > 0
      ? [
          {
            id: "refused",
            header: "The service would refuse",
            width: "minmax(10rem, 3fr)",
            cell: ({ id }: PlanStep) => refused.get(id) ?? <Dash />,
          },
        ]
      : []),
  ];
  return (
    <>
      <div className={classes["table"]} data-few={steps.length <= FEW || undefined}>
        <ListTable
          label="Steps"
          query={READ}
          rows={steps}
          total={steps.length}
          rowKey={({ id }) => id}
          rowName={({ path }) => path}
          rowActions={(step) => [{ label: "Show fields", onSelect: () => setShown(step) }]}
          summary={(step) =>
            [
              `${LOOKS[step.how][0]} ${kindIn(step.collection).noun}`,
              refused.get(step.id) ?? fieldsText(step),
            ]
              .filter(Boolean)
              .join(": ")
          }
          columns={columns}
          emptyState={null}
        />
      </div>
      {shown ? (
        <Sheet
          at="side"
          title={
            <>
              {LOOKS[shown.how][0]}: {kindIn(shown.collection).noun} <bdi>{visible(shown.path)}</bdi>
            </>
          }
          onClose={() => setShown(undefined)}
        >
          {refused.has(shown.id) ? (
            <Notice tone="warning" title="The service would refuse this">
              {refused.get(shown.id)}
            </Notice>
          ) : null}
          {shown.uid === undefined ? null : <Uid value={shown.uid} />}
          {shown.fields.length > 0 ? (
            <Fields
              fields={shown.fields.map(({ path, before, after }) => ({ path, before, after: told(after) }))}
              headings={["Now", "Planned"]}
            />
          ) : (
            <p>The record is deleted as it is.</p>
          )}
          {shown.needs.length > 0 ? (
            <>
              <p>After these steps:</p>
              <ul>
                {shown.needs.map((id) => (
                  <li key={id}>
                    <bdi>{visible(id)}</bdi>
                  </li>
                ))}
              </ul>
            </>
          ) : null}
        </Sheet>
      ) : null}
    </>
  );
}
