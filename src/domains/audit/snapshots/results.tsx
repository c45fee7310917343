import { type ReactNode, useState } from "react";
import { useRouter } from "@tanstack/react-router";
import { CircleMinusIcon, CirclePlusIcon, PencilIcon, ShieldIcon, type LucideIcon } from "lucide-react";

import { formatQuantity } from "~/ui/display/numbers";
import { listPath } from "platform-contract/kinds";
import { uidToParam } from "~/frame/scope/uid-param";
import { Badge } from "~/ui/display/badge";
import { Dash } from "~/ui/display/dash";
import { Uid } from "~/ui/display/uid";
import { visible } from "~/ui/display/visible";
import { Lines, linesOf, linesWithout } from "~/ui/form/lines";
import type { LinkTarget } from "~/ui/layout/link";
import { Sheet } from "~/ui/overlay/sheet";
import { ListTable } from "~/ui/table/list-table";
import { READ, type Column } from "~/ui/table/types";

import type { SnapshotFieldChange } from "platform-client/snapshots/fields";
import type { Comparison, SnapshotChange } from "./compare";
import { Missing } from "./parts";
import { kindIn } from "platform-client/snapshots/format";
import type { Power } from "./power";
import classes from "./styles.module.css";

const LOOKS: Readonly<
  Record<
    SnapshotChange["how"],
    readonly [word: string, icon: LucideIcon, tone: "success" | "danger" | "accent"]
  >
> = {
  added: ["Added", CirclePlusIcon, "success"],
  removed: ["Removed", CircleMinusIcon, "danger"],
  changed: ["Changed", PencilIcon, "accent"],
};

function How({ how }: Pick<SnapshotChange, "how">): ReactNode {
  const [word, Icon, tone] = LOOKS[how];
  return (
    <Badge icon={<Icon />} tone={tone}>
      {word}
    </Badge>
  );
}

/** What the role of a grant can do. */
const POWER_WORDS: Readonly<Record<Power, string>> = {
  owner: "Owner",
  manages: "Manages access",
  unknown: "Unknown role",
  changes: "Makes changes",
  reads: "Reads only",
};

const PowerBadge = ({ power }: Pick<SnapshotChange, "power">): ReactNode =>
  power === undefined ? null : (
    <Badge icon={<ShieldIcon />} tone={power === "owner" ? "strong" : "neutral"}>
      {POWER_WORDS[power]}
    </Badge>
  );

const fieldsText = ({ how, fields }: SnapshotChange): string =>
  how === "changed" ? fields.map(({ path }) => path).join(", ") : "";

const columns: readonly Column<SnapshotChange>[] = [
  { id: "name", header: "Name", width: "minmax(10rem, 2fr)", cell: ({ name }) => visible(name) },
  { id: "how", header: "Change", width: "7.5rem", cell: ({ how }) => <How how={how} />, hideBelow: 480 },
  {
    id: "kind",
    header: "Kind",
    width: "8rem",
    cell: ({ collection }) => kindIn(collection).noun,
    hideBelow: 600,
  },
  {
    id: "power",
    header: "Access",
    width: "10rem",
    cell: ({ power }) => (power === undefined ? <Dash /> : <PowerBadge power={power} />),
    hideBelow: 600,
  },
  {
    id: "where",
    header: "Folder or repo",
    width: "minmax(8rem, 1fr)",
    cell: ({ where }) => (where === "" ? <Dash /> : <bdi>{visible(where)}</bdi>),
    hideBelow: 900,
  },
  {
    id: "fields",
    header: "Fields",
    width: "minmax(8rem, 2fr)",
    cell: (change) => fieldsText(change) || <Dash />,
    hideBelow: 700,
  },
];

const keyOf = ({ collection, uid }: SnapshotChange): string => `${collection} ${uid}`;

interface ChangeTableProps {
  readonly changes: readonly SnapshotChange[];
  /** Headings of the values on the two sides. */
  readonly headings: readonly [before: string, after: string];
  /** True if the records that still exist have pages here. */
  readonly linked: boolean;
}

/** Lists every record that differs. Selecting one opens its field changes beside the table. */
function ChangeTable({ changes, headings, linked }: ChangeTableProps): ReactNode {
  const { routesByPath } = useRouter();
  const [shown, setShown] = useState<SnapshotChange>();
  const link = ({ collection, uid, how }: SnapshotChange): LinkTarget | undefined => {
    const to = `${listPath(collection)}/$uid`;
    return linked && how !== "removed" && to in routesByPath
      ? { to, params: { uid: uidToParam(uid) } }
      : undefined;
  };
  return (
    <>
      {changes.some(({ power }) => power !== undefined) ? (
        <p className={classes["order"]}>
          Grants come first, by how much the role can do: owner, then roles that manage access. A role that
          changed is listed like a grant of it.
        </p>
      ) : null}
      <div className={classes["table"]}>
        <ListTable
          label="Changes"
          query={READ}
          rows={changes}
          total={changes.length}
          rowKey={keyOf}
          rowName={({ name }) => name}
          rowLink={link}
          rowActions={(change) => [{ label: "Show fields", onSelect: () => setShown(change) }]}
          summary={(change) =>
            [`${LOOKS[change.how][0]} ${kindIn(change.collection).noun}`, fieldsText(change)]
              .filter(Boolean)
              .join(": ")
          }
          aside={(change) => <PowerBadge {...change} />}
          columns={columns}
          emptyState={null}
        />
      </div>
      {shown ? (
        <Sheet
          at="side"
          title={
            <>
              {LOOKS[shown.how][0]}: {kindIn(shown.collection).noun} <bdi>{visible(shown.name)}</bdi>
            </>
          }
          onClose={() => setShown(undefined)}
        >
          <Uid value={shown.uid} />
          <Fields fields={shown.fields} headings={headings} />
        </Sheet>
      ) : null}
    </>
  );
}

interface FieldsProps extends Pick<ChangeTableProps, "headings"> {
  readonly fields: readonly SnapshotFieldChange[];
}

/** Fields with their values on two sides. */
export const Fields = ({ fields, headings: [before, after] }: FieldsProps): ReactNode => (
  <table className={classes["fields"]}>
    <thead>
      <tr>
        <th scope="col">Field</th>
        <th scope="col">{before}</th>
        <th scope="col">{after}</th>
      </tr>
    </thead>
    <tbody>
      {fields.map(({ path, ...values }) => {
        const [was, is] = [linesOf(values.before, undefined), linesOf(values.after, undefined)];
        return (
          <tr key={path}>
            <th scope="row">{path}</th>
            <td>
              <Lines of={linesWithout(was, is)} secret={false} none={is.length > 0 && was.length > 0} />
            </td>
            <td>
              <Lines of={linesWithout(is, was)} secret={false} none={is.length > 0 && was.length > 0} />
            </td>
          </tr>
        );
      })}
    </tbody>
  </table>
);

interface ResultsProps {
  /** Undefined while nothing is compared. */
  readonly found: Comparison | undefined;
  readonly headings: readonly [before: string, after: string];
  readonly linked: boolean;
}

/** What a comparison found: how much, what was left out, and every change. */
export const Results = ({ found, headings, linked }: ResultsProps): ReactNode => (
  <>
    <p role="status">{found ? summaryOf(found) : null}</p>
    {found ? <Missing title="Not compared" kinds={found.left} /> : null}
    {found && found.changes.length > 0 ? (
      <ChangeTable changes={found.changes} headings={headings} linked={linked} />
    ) : null}
  </>
);

/** "2 added, 1 removed, 3 changed; 120 records are the same." */
function summaryOf({ changes, same, left }: Comparison): string {
  const count = (how: string) => changes.filter((each) => each.how === how).length;
  const unchanged = `${formatQuantity(same, "record is", "records are")} the same`;
  if (changes.length === 0)
    return left.length > 0 ? `No changes in what was compared; ${unchanged}.` : `No changes; ${unchanged}.`;
  return `${count("added")} added, ${count("removed")} removed, ${count("changed")} changed; ${unchanged}.`;
}
