import type { ReactNode } from "react";

import type { AccountAssociation } from "platform-contract/iam/account-associations";
import { Dash } from "~/ui/display/dash";
import { NothingYet } from "~/ui/feedback/empty";
import type { Column } from "~/ui/table/types";
import { uidColumn } from "~/ui/table/uid-column";
import {
  createdColumn,
  descriptionColumn,
  nameColumn,
  OwnGroup,
  ownGroupColumn,
  updatedColumn,
} from "~/frame/list/columns";
import { CreateButton } from "~/frame/list/create-button";
import { ListFilters } from "~/frame/list/list-filters";
import { ListPage, ListRows, useListScreen } from "~/frame/list/list-screen";

import { associationScreens, membersOf } from "./data";

const columns: readonly Column<AccountAssociation>[] = [
  nameColumn(),
  descriptionColumn({ hideBelow: 1140 }),
  {
    id: "accounts",
    header: "Accounts",
    width: "minmax(9rem, 3fr)",
    hideBelow: 640,
    cell: (record) => membersOf(record).join(", ") || <Dash label="none" />,
    text: (record) => membersOf(record).join(", "),
  },
  {
    id: "amazon",
    header: "AWS account",
    width: "8rem",
    optional: true,
    cell: ({ amazon }) => amazon?.account ?? <Dash />,
    text: ({ amazon }) => amazon?.account ?? "",
  },
  {
    id: "google",
    header: "Google project",
    width: "minmax(8rem, 2fr)",
    optional: true,
    cell: ({ google }) => google?.projectId ?? <Dash />,
    text: ({ google }) => google?.projectId ?? "",
  },
  ownGroupColumn(),
  updatedColumn({ hideBelow: 760 }),
  createdColumn({ optional: true }),
  uidColumn,
];

/** Lists the external accounts associated with groups in the scope, at most one record per group. */
export function AssociationList(): ReactNode {
  const list = useListScreen(associationScreens);
  const create = <CreateButton list={list}>Create account association</CreateButton>;
  return (
    <ListPage
      list={list}
      description="External accounts that platform services use, one record per group."
      action={create}
    >
      <ListFilters list={list} columns={columns} />
      <ListRows
        list={list}
        columns={columns}
        summary={(record) => membersOf(record).join(", ") || "No accounts"}
        aside={(record) => <OwnGroup record={record} />}
      >
        <NothingYet title="No account associations here yet" action={create}>
          Associate a group with its AWS, Google Cloud, Azure or GitHub account.
        </NothingYet>
      </ListRows>
    </ListPage>
  );
}
