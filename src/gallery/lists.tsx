import { Button } from "@mantine/core";
import { TagIcon } from "lucide-react";
import { useId, useRef, useState, type ReactNode } from "react";

import { RoleBadge } from "~/domains/access/roles/role-badge";
import "~/ui/controls/button-styles";
import { FilterSelect, FilterText } from "~/ui/controls/filters";
import { FilterToggle } from "~/ui/controls/filter-toggle";
import { Segmented } from "~/ui/controls/segmented";
import { Badge } from "~/ui/display/badge";
import { Dash } from "~/ui/display/dash";
import { State } from "~/ui/display/state";
import { NothingYet } from "~/ui/feedback/empty";
import { PageHeader } from "~/ui/layout/page";
import { ColumnChooser } from "~/ui/table/column-chooser";
import { ListTable } from "~/ui/table/list-table";
import { SelectionBar } from "~/ui/table/selection-bar";
import { READ, type Column, type ListQuery } from "~/ui/table/types";
import { uidColumn } from "~/ui/table/uid-column";
import { useSelection } from "~/ui/table/use-selection";

import classes from "./gallery.module.css";
import { HOSTILE, UID } from "./names";
import { Specimen } from "./specimen";

interface Row {
  readonly uid: string;
  readonly name: string;
  readonly role: string;
  readonly ended: boolean;
}

const ROWS: readonly Row[] = ["python", "node", ...HOSTILE].map((name, index) => ({
  uid: `${UID}${index}`,
  name,
  role: index % 2 === 0 ? "owner" : "viewer",
  ended: index % 3 === 1,
}));
const NONE: readonly Row[] = [];

const columns: readonly Column<Row>[] = [
  {
    id: "name",
    header: "Name",
    sortField: "name",
    width: "minmax(10rem, 3fr)",
    cell: ({ name }) => <bdi>{name}</bdi>,
  },
  { id: "role", header: "Role", width: "minmax(8rem, 2fr)", cell: ({ role }) => <RoleBadge name={role} /> },
  {
    id: "state",
    header: "State",
    width: "8.5rem",
    hideBelow: 640,
    cell: ({ ended }) =>
      ended ? <Badge tone="warning">Expired</Badge> : <State tone="success">Active</State>,
  },
  { id: "empty", header: "Nothing", hideBelow: 760, cell: () => <Dash /> },
  uidColumn,
];

const FAILED: ListQuery = { ...READ, isError: true, error: new Error("The service can't be reached.") };
const LOADING: ListQuery = { ...READ, isPending: true, isFetching: true };

const ignore = () => undefined;

interface TableProps {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly query: ListQuery;
}

function Table({ label, rows, query }: TableProps): ReactNode {
  const [order, setOrder] = useState("name");
  return (
    <div className={classes["list"]}>
      <ListTable
        label={label}
        query={query}
        rows={rows}
        total={rows.length}
        rowKey={({ uid }) => uid}
        rowName={({ name }) => name}
        rowLink={() => ({ to: "/" })}
        rowActions={() => [
          { label: "Edit", onSelect: ignore },
          { label: "Delete", disabled: "You need permission to delete repos (repo.delete)", danger: true },
        ]}
        columns={columns}
        order={order}
        onOrder={setOrder}
        emptyState={<NothingYet title="No repos here yet">A repo holds the tags of one image.</NothingYet>}
      />
    </div>
  );
}

/** A list with rows chosen, and the panel that chooses its columns. */
function Choosing(): ReactNode {
  const label = "Chosen repos";
  const selection = useSelection<Row>("all", "rows");
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button ref={button} variant="default" onClick={() => setOpen(!open)}>
        Choose columns
      </Button>
      {open ? (
        <ColumnChooser
          shared={undefined}
          onChoose={undefined}
          list={label}
          columns={columns}
          id={id}
          button={button}
          onClose={() => setOpen(false)}
        />
      ) : null}
      <div className={classes["list"]}>
        <ListTable
          label={label}
          query={READ}
          rows={ROWS}
          total={ROWS.length}
          rowKey={({ uid }) => uid}
          rowName={({ name }) => name}
          rowLink={() => ({ to: "/" })}
          columns={columns}
          emptyState={null}
          selection={{
            ...selection,
            bar: (list) => (
              <SelectionBar
                {...selection}
                list={list}
                what="repos"
                actions={<Button variant="default">Delete</Button>}
              />
            ),
          }}
        />
      </div>
    </>
  );
}

/** What a list is made of: head, filters, table. */
export function Lists(): ReactNode {
  const [text, setText] = useState<string>();
  const [kind, setKind] = useState<string>();
  const [on, setOn] = useState(true);
  const [by, setBy] = useState<"tag" | "digest">("tag");
  return (
    <>
      <Specimen title="Page header">
        <PageHeader
          icon={TagIcon}
          title="Tags"
          description="Tags across all repos in this scope."
          actions={<Button>Create tag</Button>}
        />
      </Specimen>
      <Specimen title="Filters: at rest, active, fixed">
        <div className={classes["row"]}>
          <FilterText label="Search tags" type="search" placeholder="Name" value={text} onApply={setText} />
          <FilterSelect
            label="Kind"
            value={kind}
            options={[
              { value: "", label: "any" },
              { value: "custom", label: "custom" },
            ]}
            onChange={setKind}
          />
          <FilterToggle label="Dated tags" checked={on} onChange={setOn} />
          <FilterToggle
            label="Deprecated"
            checked
            onChange={ignore}
            fixed="Included so the count is complete"
          />
          <Segmented
            label="Pull by"
            value={by}
            options={[
              { value: "tag", label: "Tag" },
              { value: "digest", label: "Digest" },
            ]}
            onChange={setBy}
          />
        </div>
      </Specimen>
      <Specimen title="ListTable: long and hostile names" use="Rows of a collection.">
        <Table label="Repos" rows={ROWS} query={READ} />
      </Specimen>
      <Specimen title="ListTable: rows to choose, ColumnChooser" use="Choose a row to see the SelectionBar.">
        <Choosing />
      </Specimen>
      <Specimen title="ListTable: loading">
        <Table label="Loading repos" rows={NONE} query={LOADING} />
      </Specimen>
      <Specimen title="ListTable: empty">
        <Table label="Empty repos" rows={NONE} query={READ} />
      </Specimen>
      <Specimen title="ListTable: failed">
        <Table label="Failed repos" rows={NONE} query={FAILED} />
      </Specimen>
    </>
  );
}
