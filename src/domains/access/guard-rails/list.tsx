import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import type { GuardRail } from "platform-contract/iam/guard-rails";
import { createdColumn, groupColumn, nameColumn, updatedColumn } from "~/frame/list/columns";
import { CreateButton } from "~/frame/list/create-button";
import { ListFilters } from "~/frame/list/list-filters";
import { ListPage, ListRows, useListScreen } from "~/frame/list/list-screen";
import { iconOf } from "~/frame/kind-icons";
import { NothingYet } from "~/ui/feedback/empty";
import { Notice } from "~/ui/feedback/notice";
import { Page, PageHeader } from "~/ui/layout/page";
import type { Column } from "~/ui/table/types";
import { uidColumn } from "~/ui/table/uid-column";

import { guardRailScreens, kindLabel, modeWord } from "./data";

/** The API cannot order by it. */
const { sortField: _, ...sentence } = nameColumn<GuardRail>({
  header: "Guard rail",
  width: "minmax(14rem, 6fr)",
  cell: guardRailScreens.nameOf,
});

const columns: readonly Column<GuardRail>[] = [
  sentence,
  { id: "mode", header: "If broken", width: "6rem", cell: modeWord },
  {
    id: "kind",
    header: "Kind",
    width: "minmax(9rem, 2fr)",
    hideBelow: 960,
    cell: ({ kind }) => kindLabel(kind),
    text: ({ kind }) => kindLabel(kind),
  },
  {
    id: "exceptions",
    header: "Exceptions",
    width: "6.5rem",
    align: "end",
    hideBelow: 760,
    cell: ({ exceptions = [] }) => exceptions.length,
    text: ({ exceptions = [] }) => String(exceptions.length),
  },
  groupColumn({ hideBelow: 640 }),
  createdColumn({ hideBelow: 1140 }),
  updatedColumn({ optional: true }),
  uidColumn,
];

const TITLE = "Guard rails";
const DESCRIPTION = "Rules that an organization sets for itself, checked whenever access is given.";

/** Lists the guard rails of a scope, as sentences. */
export function GuardRailList(): ReactNode {
  const offered = useRouteContext({ from: "__root__" }).config.guardRails;
  if (offered) return <Rails />;
  return (
    <Page>
      <PageHeader icon={iconOf("guardRails")} title={TITLE} description={DESCRIPTION} />
      <Notice>This service has no guard rails. Roles decide who can give access.</Notice>
    </Page>
  );
}

function Rails(): ReactNode {
  const list = useListScreen(guardRailScreens);
  const create = <CreateButton list={list}>Create guard rail</CreateButton>;
  return (
    <ListPage list={list} description={DESCRIPTION} action={create}>
      <ListFilters list={list} columns={columns} />
      <ListRows list={list} columns={columns} summary={({ kind }) => kindLabel(kind)} aside={modeWord}>
        <NothingYet title="No guard rails here yet" action={create}>
          A guard rail refuses access that your organization doesn&apos;t want, such as an owner without an
          end, or only notes it in the audit log.
        </NothingYet>
      </ListRows>
    </ListPage>
  );
}
