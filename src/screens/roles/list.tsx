import type { ReactNode } from "react";

import type { Role } from "~/contract/iam/roles";
import { ActionButton } from "~/ui/controls/action-button";
import { NothingYet } from "~/ui/feedback/empty";
import type { Column } from "~/ui/table/types";
import { uidColumn } from "~/ui/table/uid-column";
import { formatCount } from "~/ui/display/numbers";
import { onDemand } from "~/ui/on-demand";
import { useBulkDelete } from "~/resource/bulk-delete";
import { createdColumn, descriptionColumn, groupColumn, nameColumn, updatedColumn } from "~/resource/columns";
import { ListFilters, ListPage, ListRows, useListScreen } from "~/resource/list-screen";

import { isBuiltIn, roleScreens } from "./data";

// Nobody needs these for the first rows.
const RoleDrawers = onDemand(async () => (await import("./drawers")).RoleDrawers);

const columns: readonly Column<Role>[] = [
  nameColumn(),
  descriptionColumn(),
  {
    id: "kind",
    header: "Kind",
    width: "6rem",
    hideBelow: 760,
    cell: (record) => (isBuiltIn(record) ? "Built-in" : "Custom"),
  },
  {
    id: "capabilities",
    header: "Capabilities",
    width: "7rem",
    align: "end",
    cell: ({ capabilities = [] }) => formatCount(capabilities.length),
    text: ({ capabilities = [] }) => capabilities.join(" "),
  },
  groupColumn(),
  createdColumn({ hideBelow: 1040 }),
  updatedColumn({ optional: true }),
  uidColumn,
];

/** Sets of capabilities, of the platform and of organizations. */
export function RoleList(): ReactNode {
  const list = useListScreen(roleScreens);
  const selection = useBulkDelete(
    list,
    "Nobody can be given these roles from then on. This cannot be undone.",
  );
  const create = (
    <ActionButton reason={list.createRefusal} variant="filled" onClick={() => list.open("create")}>
      Create role
    </ActionButton>
  );
  return (
    <ListPage
      list={list}
      description="Sets of capabilities that can be given to identities."
      action={create}
      drawers={RoleDrawers}
    >
      <ListFilters list={list} columns={columns} />
      <ListRows
        list={list}
        columns={columns}
        summary={({ description }) => <bdi>{description}</bdi>}
        selection={selection}
      >
        <NothingYet title="No roles here yet" action={create}>
          A role says what somebody may do who is bound to it. The built-in ones serve most.
        </NothingYet>
      </ListRows>
    </ListPage>
  );
}
