import type { ReactNode } from "react";
import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";

import { parentOf } from "platform-contract/aip";
import { roleWords } from "platform-contract/iam/built-in-roles";
import type { Role } from "platform-contract/iam/roles";
import { NothingYet } from "~/ui/feedback/empty";
import type { Column } from "~/ui/table/types";
import { Dash } from "~/ui/display/dash";
import { uidColumn } from "~/ui/table/uid-column";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { useBulkDelete } from "~/frame/list/bulk-delete";
import {
  createdColumn,
  descriptionColumn,
  groupColumn,
  nameColumn,
  updatedColumn,
} from "~/frame/list/columns";
import { CreateButton } from "~/frame/list/create-button";
import { ListFilters } from "~/frame/list/list-filters";
import { ListPage, ListRows, useListScreen } from "~/frame/list/list-screen";
import type { ActsProps } from "~/frame/bulk-delete/use-selectable";
import "~/ui/controls/button-styles";
import { AppLink } from "~/ui/layout/link";
import { DisabledReason } from "~/ui/overlay/disabled-reason";
import { rowsOf } from "~/api/queries/queries";
import { builtIn } from "~/domains/access/grants/roles";

import { compareOf, HOLDERS_OF_ROWS, kindWord, roleScreens, COMPARED_MAX } from "./data";
import { UsedBy } from "./used-by";
import { RoleLink } from "./role-link";
import classes from "./styles.module.css";

/** The built-in roles in one line, above the custom ones of a scope: they can be granted in every scope. */
function BuiltInRoles({ group }: { readonly group: string }): ReactNode {
  const { rows } = rowsOf(useInfiniteQuery(builtIn).data);
  return (
    <>
      {parentOf(group) === "" ? null : (
        <p className={classes["quiet"]}>
          Custom roles of folders above aren&apos;t listed here. They can be granted here too.
        </p>
      )}
      <div className={classes["builtIn"]}>
        <span id="built-in-roles">Built-in, in every scope:</span>
        <ul aria-labelledby="built-in-roles">
          {rows.map(({ uid, name }) => (
            <li key={uid}>
              <RoleLink uid={uid} name={name} />
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

/** Links to the comparison of the selected roles. */
function CompareButton({ records }: ActsProps<Role>): ReactNode {
  const reason = records.length > COMPARED_MAX ? `Up to ${COMPARED_MAX} roles can be compared` : undefined;
  return (
    <DisabledReason reason={reason}>
      <Button variant="default" component={AppLink} target={compareOf(records.map(({ uid }) => uid))}>
        Compare {formatQuantity(records.length, "role", "roles")}
      </Button>
    </DisabledReason>
  );
}

const columns: readonly Column<Role>[] = [
  nameColumn(),
  { id: "kind", header: "Kind", width: "6rem", hideBelow: 760, cell: kindWord },
  {
    id: "capabilities",
    header: "Capabilities",
    width: "7rem",
    align: "end",
    hideBelow: 640,
    cell: ({ capabilities = [] }) => formatCount(capabilities.length),
    text: ({ capabilities = [] }) => capabilities.join(" "),
  },
  {
    id: "usedBy",
    header: "Used by",
    width: "5.5rem",
    align: "end",
    cell: ({ uid }) => <UsedBy role={uid} />,
    text: false,
  },
  descriptionColumn({
    cell: (role) => (roleWords(role) ? <bdi>{roleWords(role)}</bdi> : <Dash />),
    text: roleWords,
  }),
  groupColumn({ width: "minmax(8rem, 2fr)", hideBelow: 540 }),
  createdColumn({ hideBelow: 1140 }),
  updatedColumn({ optional: true }),
  uidColumn,
];

/** Lists built-in and custom roles. */
export function RoleList(): ReactNode {
  const list = useListScreen(roleScreens);
  const selection = useBulkDelete(list, "These roles can no longer be granted.", {
    More: CompareButton,
  });
  const create = <CreateButton list={list}>Create role</CreateButton>;
  return (
    <ListPage
      list={list}
      description={
        list.scope.group === undefined
          ? "Built-in and custom sets of capabilities that role bindings grant."
          : "Custom sets of capabilities that role bindings grant."
      }
      action={create}
    >
      <ListFilters list={list} columns={columns} />
      {list.scope.group === undefined ? null : <BuiltInRoles group={list.scope.group} />}
      <ListRows
        list={list}
        columns={columns}
        summary={(role) => <bdi>{roleWords(role) || kindWord(role)}</bdi>}
        aside={kindWord}
        actions={({ uid }) => [
          {
            label: "Duplicate as custom",
            onSelect: () => list.open("create", uid),
            disabled: list.createRefusal,
          },
          { label: "Compare with another role", link: compareOf([uid]) },
        ]}
        selection={selection}
        alsoRefresh={HOLDERS_OF_ROWS}
      >
        <NothingYet title="No roles here yet" action={create}>
          A role is a set of capabilities.
          {list.scope.group === undefined ? null : " The built-in roles above cover most needs."}
        </NothingYet>
      </ListRows>
    </ListPage>
  );
}
