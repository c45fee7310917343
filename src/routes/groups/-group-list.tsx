import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useMemo, type ReactNode } from "react";

import { can } from "~/access/rules";
import { useWho } from "~/access/who";
import { anchorOf, keepPlace, refresh, startAt } from "~/api/lists";
import { rowsOf } from "~/api/queries";
import { isWithin, parentOf } from "~/contract/aip";
import { groups, type Group } from "~/contract/iam/groups";
import { copyText } from "~/kit/copy-text";
import { FilterBar, FilterSelect, FilterText } from "~/kit/filters";
import { ListTable } from "~/kit/list-table";
import type { MenuAction } from "~/kit/menu";
import { Page, PageHeader } from "~/kit/page";
import { useScope } from "~/parts/scope";
import { useTitle } from "~/parts/title";
import { paramToUid, uidToParam } from "~/parts/uid-param";

import { CreateActions } from "./-create-actions";
import { columnsWith } from "./-group-columns";
import { GroupDrawers } from "./-group-drawers";
import { groupListQuery } from "./-group-queries";
import { DEFAULT_ORDER, type GroupListSearch } from "./-group-search";
import { nameOf } from "./-group-words";
import { detailOf } from "./-links";
import { NoGroups } from "./-no-groups";
import { useHome } from "./-use-home";
import { usePlaceNames } from "./-use-places";

const route = getRouteApi("/groups/");

/** What changes in the address; undefined leaves it out. */
interface ViewChange extends GroupListSearch {
  group?: string | undefined;
  reach?: "here" | undefined;
}

/** Organizations and folders: all that somebody sees, or those of a scope. */
export function GroupList(): ReactNode {
  const client = useQueryClient();
  const navigate = route.useNavigate();
  const search = route.useSearch();
  const scope = useScope();
  const home = useHome();
  const who = useWho();
  useTitle("Groups");

  const list = groupListQuery(scope, search);
  const query = useInfiniteQuery({ ...list, placeholderData: keepPreviousData });
  const { rows, first, total } = rowsOf(query.data);
  const at = Number(search.at ?? 0);
  // Where the list is read anew after something was created, be the place from a link or from scrolling.
  useEffect(() => keepPlace(client, list, at));
  const names = usePlaceNames(rows);
  const columns = useMemo(() => columnsWith(names), [names]);

  const { order = DEFAULT_ORDER, name, drawer } = search;
  const item = search.item === undefined ? scope.group : paramToUid(search.item);
  const show = (change: ViewChange, replace = false) =>
    void navigate({
      to: ".",
      search: (view: object) => ({ ...view, ...change }),
      replace,
      resetScroll: false,
    });
  const close = () => show({ drawer: undefined, item: undefined }, true);
  const open = (opened: GroupListSearch["drawer"], uid?: string) =>
    show({ drawer: opened, item: uid === undefined ? undefined : uidToParam(uid) });

  const actions = ({ uid }: Group): MenuAction[] => {
    const known = who.state === "loading" ? undefined : { ...who, state: who.state };
    return [
      { label: "Copy uid", onSelect: () => void copyText(uid, "uid") },
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
      <ListTable
        label="Groups"
        query={query}
        rows={rows}
        total={total}
        firstRow={first}
        rowKey={({ uid }) => uid}
        rowName={nameOf}
        rowLink={({ uid }) => detailOf(uid)}
        rowActions={actions}
        columns={columns}
        order={order}
        onOrder={(next) => show({ order: next, at: undefined })}
        at={at || undefined}
        onAt={(row) => show({ at: row === undefined ? undefined : String(row) }, true)}
        onJump={(row) => startAt(client, list, anchorOf(row))}
        onRefresh={() => refresh(client, list).catch(() => query.refetch())}
        view={`${scope.group ?? ""} ${scope.reach} ${name ?? ""}`}
        emptyState={
          <NoGroups scope={scope} name={name} onClear={() => show({ name: undefined })} onOpen={open} />
        }
      />
    </Page>
  );
}
