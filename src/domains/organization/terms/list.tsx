import type { ReactNode } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";

import type { TermsDocument } from "platform-contract/iam/terms";
import { NothingYet } from "~/ui/feedback/empty";
import type { Column } from "~/ui/table/types";
import { uidColumn } from "~/ui/table/uid-column";
import { createdColumn, groupColumn, nameColumn, updatedColumn } from "~/frame/list/columns";
import { CreateButton } from "~/frame/list/create-button";
import { ListFilters } from "~/frame/list/list-filters";
import { ListPage, ListRows, useListScreen } from "~/frame/list/list-screen";
import { parentOf } from "platform-contract/aip";
import { Dash } from "~/ui/display/dash";
import { State } from "~/ui/display/state";
import { Time } from "~/ui/display/time";
import { errorFacts } from "~/ui/feedback/error-facts";
import { useSettled } from "~/ui/use-settled";

import { termsScreens } from "./data";
import { acceptancesIn, acceptancesQuery } from "./outstanding";

/** Shows when a document was accepted for its own group. Rows of the same group share a request. */
function StateCell({ document: { uid, name } }: { readonly document: TermsDocument }): ReactNode {
  const { data, error } = useInfiniteQuery({ ...acceptancesQuery(parentOf(uid)), enabled: useSettled() });
  if (!data) return error ? <Dash label={errorFacts(error).message} /> : "…";
  const found = acceptancesIn(data).find(({ docId }) => docId === name);
  return found ? <Time value={found.createTime} /> : <State tone="none">Not yet</State>;
}

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
          Until the terms of a group and of those above it are accepted, no one can create repos, tags or
          invites in it.
        </NothingYet>
      </ListRows>
    </ListPage>
  );
}
