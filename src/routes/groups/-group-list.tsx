import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, type ReactNode } from "react";

import { can } from "~/access/rules";
import { useWho } from "~/access/who";
import { anchorOf, keepPlace, refresh, startAt } from "~/api/lists";
import { rowsOf } from "~/api/queries";
import { isWithin, parentOf } from "~/contract/aip";
import { groups, type Group } from "~/contract/iam/groups";
import { FilterBar, FilterSelect, FilterText } from "~/kit/filters";
import type { MenuAction } from "~/kit/menu";
import { Page, PageHeader } from "~/kit/page";
import { recordActions } from "~/parts/behind";
import { contains } from "~/parts/contains";
import { ListTools } from "~/parts/list-tools";
import { Scanned } from "~/parts/scanned";
import { useScope } from "~/parts/scope";
import { useTitle } from "~/parts/title";
import { paramToUid, uidToParam } from "~/parts/uid-param";
import { useView } from "~/parts/use-view";

import { CreateActions } from "./-create-actions";
import { groupColumns } from "./-group-columns";
import { GroupDrawers } from "./-group-drawers";
import { groupListQuery, groupScanQuery } from "./-group-queries";
import { DEFAULT_ORDER, filterWords, type GroupListSearch } from "./-group-search";
import { GroupTable } from "./-group-table";
import { nameOf } from "./-group-words";
import { detailOf } from "./-links";
import { NoGroups } from "./-no-groups";
import { useHome } from "./-use-home";

const route = getRouteApi("/groups/");

/** What changes in the address; undefined leaves it out. */
interface ViewChange extends GroupListSearch {
  group?: string | undefined;
  reach?: "here" | undefined;
}

/** Rows around the first one in view: what a scan finds may lie under thousands of groups, too many to ask for. */
const nearby = (rows: readonly Group[], at: number) => rows.slice(Math.max(0, at - 5), at + 45);

/** Organizations and folders: all that somebody sees, or those of a scope. */
export function GroupList(): ReactNode {
  const client = useQueryClient();
  const search = route.useSearch();
  const scope = useScope();
  const home = useHome();
  const who = useWho();
  useTitle("Groups");

  const list = groupListQuery(scope, search);
  const { order = DEFAULT_ORDER, name, contains: typed, drawer } = search;
  const scanned = typed !== undefined;
  const matches = (group: Group) => contains(typed ?? "", [group.name, group.description]);
  const query = useInfiniteQuery({ ...list, enabled: !scanned, placeholderData: keepPreviousData });
  const { rows, first, total, anew, odd } = rowsOf(query.data);
  const at = Number(search.at ?? 0);
  // Where the list is read anew after something was created, be the place from a link or from scrolling.
  useEffect(() => keepPlace(client, list, at));

  const item = search.item === undefined ? scope.group : paramToUid(search.item);
  const { show, open, close } = useView<ViewChange>();

  const actions = (group: Group): MenuAction[] => {
    const { uid } = group;
    const known = who.state === "loading" ? undefined : { ...who, state: who.state };
    return [
      ...recordActions(group, nameOf(group)),
      {
        label: "Create folder here",
        onSelect: () => open("create", uid),
        disabled: can(known, groups.create, uid).reason,
      },
      { label: "Edit", onSelect: () => open("edit", uid), disabled: can(known, groups.update, uid).reason },
      {
        label: "Delete",
        onSelect: () => open("delete", uid),
        disabled: can(known, groups.delete, uid).reason,
        danger: true,
      },
    ];
  };

  const table = {
    label: "Groups",
    rowKey: ({ uid }: Group) => uid,
    rowName: nameOf,
    rowLink: ({ uid }: Group) => detailOf(uid),
    rowActions: actions,
    order,
    onOrder: (next: string) => show({ order: next, at: undefined }),
    at: at || undefined,
    onAt: (row: number | undefined) => show({ at: row === undefined ? undefined : String(row) }, true),
    view: JSON.stringify([scope, name, typed]),
  };
  const emptyState = (
    <NoGroups
      scope={scope}
      filters={filterWords(search)}
      onClear={() => show({ name: undefined, contains: undefined, at: undefined })}
      onOpen={open}
    />
  );
  return (
    <Page fill>
      <PageHeader
        title="Groups"
        description="Organizations, and the folders that divide them."
        actions={
          <CreateActions
            home={home}
            onCreateFolder={() => open("create", home)}
            onCreateOrganization={() => open("create-organization")}
          />
        }
      />
      <FilterBar>
        <FilterText
          label="Name is exactly"
          value={name}
          onApply={(value) => show({ name: value, at: undefined })}
        />
        <FilterText
          label="Name or description contains"
          value={typed}
          onApply={(value) => show({ contains: value, at: undefined })}
        />
        {scope.group === undefined ? null : (
          <FilterSelect
            label="Show"
            value={scope.reach === "here" ? "here" : ""}
            options={[
              { value: "", label: "here and below" },
              { value: "here", label: "directly here" },
            ]}
            onChange={(value) => show({ reach: value === "here" ? value : undefined, at: undefined })}
          />
        )}
        <ListTools
          label={table.label}
          columns={groupColumns}
          list={groupScanQuery(scope, search)}
          matches={scanned ? matches : undefined}
          group={scope.group}
          columnsOf={async (found) => (await import("./-export-columns")).exportColumns(client, found)}
        />
      </FilterBar>
      <GroupDrawers
        drawer={drawer}
        item={item}
        known={rows.find(({ uid }) => uid === item)}
        onClose={close}
        onDeleted={(uid) => {
          const within = scope.group !== undefined && isWithin(scope.group, uid);
          const parent = parentOf(uid);
          show(
            {
              drawer: undefined,
              item: undefined,
              ...(within && { group: parent === "" ? undefined : uidToParam(parent), at: undefined }),
            },
            true,
          );
        }}
      />
      {scanned ? (
        <Scanned
          list={groupScanQuery(scope, search)}
          enabled
          filter={typed}
          matches={matches}
          what="groups"
          one="group"
          emptyState={emptyState}
          loading={
            <GroupTable {...table} query={{ ...query, isPending: true }} rows={[]} emptyState={null} />
          }
        >
          {(found) => <GroupTable {...table} {...found} near={nearby(found.rows, at)} />}
        </Scanned>
      ) : (
        <GroupTable
          {...table}
          query={query}
          rows={rows}
          total={total}
          firstRow={first}
          odd={odd}
          anew={anew}
          onJump={(row) => startAt(client, list, anchorOf(row))}
          onRefresh={() => refresh(client, list)}
          emptyState={emptyState}
        />
      )}
    </Page>
  );
}
