import type { ReactNode } from "react";

import type { TermsDocument } from "platform-contract/iam/terms";
import { NothingYet } from "~/ui/feedback/empty";
import type { Column } from "~/ui/table/types";
import { uidColumn } from "~/ui/table/uid-column";
import { createdColumn, groupColumn, nameColumn, updatedColumn } from "~/frame/list/columns";
import { CreateButton } from "~/frame/list/create-button";
import { ListFilters } from "~/frame/list/list-filters";
import { ListPage, ListRows, useListScreen } from "~/frame/list/list-screen";

import { termsScreens } from "./data";
import { StateCell } from "./state-cell";

const columns: readonly Column<TermsDocument>[] = [
  nameColumn({ width: "minmax(8rem, 2fr)" }),
  {
    id: "label",
    header: "Title",
    width: "minmax(9rem, 4fr)",
    hideBelow: 640,
    cell: ({ label = "" }) => <bdi>{label}</bdi>,
    text: ({ label = "" }) => label,
  },
  {
    id: "state",
    header: "Accepted",
    width: "minmax(8rem, 1fr)",
    cell: (record) => <StateCell document={record} />,
    // The cell requests its own data.
    text: false,
  },
  {
    id: "url",
    header: "Link",
    width: "minmax(9rem, 3fr)",
    optional: true,
    cell: ({ url = "" }) => <bdi>{url}</bdi>,
    text: ({ url = "" }) => url,
  },
  groupColumn({ header: "Folder", hideBelow: 760 }),
  createdColumn({ hideBelow: 1040 }),
  updatedColumn({ optional: true }),
  uidColumn,
];

/** Lists the documents that the groups of a scope must accept. */
export function TermsList(): ReactNode {
  const list = useListScreen(termsScreens);
  const create = <CreateButton list={list}>Create terms document</CreateButton>;
  return (
    <ListPage
      list={list}
      description="Legal documents that a group and its subfolders must accept."
      action={create}
    >
      <ListFilters list={list} columns={columns} />
      <ListRows
        list={list}
        columns={columns}
        summary={({ label }) => <bdi>{label}</bdi>}
        aside={(record) => <StateCell document={record} />}
      >
        <NothingYet title="No terms here yet" action={create}>
          Until a group's terms are accepted, no one can create repos, tags or invites in it.
        </NothingYet>
      </ListRows>
    </ListPage>
  );
}
