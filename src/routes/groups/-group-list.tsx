import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useRefusal } from "~/access/use-can";
import { isWithin, parentOf } from "~/contract/aip";
import { groups, type Group } from "~/contract/iam/groups";
import { FilterBar, FilterText } from "~/kit/filters";
import { deleteAction, type MenuAction } from "~/kit/menu";
import { onDemand } from "~/kit/on-demand";
import { Page, PageHeader } from "~/kit/page";
import { recordActions } from "~/parts/behind";
import { contains } from "~/parts/contains";
import { groupPage } from "~/parts/group-link";
import { ListTools } from "~/parts/list-tools";
import { PlacedTable } from "~/parts/placed-table";
import { ReachFilter } from "~/parts/reach-filter";
import { Scanned } from "~/parts/scanned";
import { useScope } from "~/parts/scope";
import { useTitle } from "~/parts/title";
import { uidToParam } from "~/parts/uid-param";
import { useList } from "~/parts/use-list";
import { useView } from "~/parts/use-view";

import { CreateActions } from "./-create-actions";
import { columnsWith, groupColumns } from "./-group-columns";
import { groupListQuery, groupScanQuery } from "./-group-queries";
import { DEFAULT_ORDER, filterWords, NO_FILTERS, type GroupListSearch } from "./-group-search";
import { nameOf } from "./-group-words";
import { useHome } from "./-use-home";

const route = getRouteApi("/groups/");

// Nobody needs these for the first rows.
const GroupDrawers = onDemand(async () => (await import("./-group-drawers")).GroupDrawers);
const NoGroups = onDemand(async () => (await import("./-no-groups")).NoGroups);

/** Organizations and folders: all that somebody sees, or those of a scope. */
export function GroupList(): ReactNode {
  useTitle("Groups");
  const client = useQueryClient();
  const search = route.useSearch();
  const scope = useScope();
  const home = useHome();
  const refusal = useRefusal();
  const { show, filter, open, close } = useView<GroupListSearch>();

  const { name, contains: typed } = search;
  const matches =
    typed === undefined ? undefined : (group: Group) => contains(typed, [group.name, group.description]);
  const whole = groupScanQuery(scope, search);
  const { table, paged, opened } = useList({
    list: groupListQuery(scope, search),
    scope,
    search,
    defaultOrder: DEFAULT_ORDER,
    enabled: matches === undefined,
  });

  const actions = (group: Group): MenuAction[] => {
    const { uid } = group;
    return [
      ...recordActions(group, nameOf(group)),
      {
        label: "Create folder here",
        onSelect: () => open("create", uid),
        disabled: refusal(groups.create, uid),
      },
      { label: "Edit", onSelect: () => open("edit", uid), disabled: refusal(groups.update, uid) },
      deleteAction(() => open("delete", uid), refusal(groups.delete, uid)),
    ];
  };
  /** Closes the question; a scope that is gone with the group moves up to where it was. */
  const leave = (uid: string) => {
    if (scope.group === undefined || !isWithin(scope.group, uid)) return close();
    const parent = parentOf(uid);
    const group = parent === "" ? undefined : uidToParam(parent);
    show({ drawer: undefined, item: undefined, group, at: undefined }, true);
  };
  const facts = {
    ...table,
    label: "Groups",
    columnsWith,
    rowName: nameOf,
    rowLink: ({ uid }: Group) => groupPage(uid),
    rowActions: actions,
  };
  const emptyState = (
    <NoGroups
      group={scope.group}
      filters={filterWords(search)}
      onClear={() => filter(NO_FILTERS)}
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
      <FilterBar
        search={search}
        none={NO_FILTERS}
        onChange={filter}
        tools={
          <ListTools
            label={facts.label}
            columns={groupColumns}
            list={whole}
            matches={matches}
            group={scope.group}
            columnsOf={async (found) =>
              columnsWith(await (await import("~/parts/read-places")).readPlaces(client, found))
            }
          />
        }
      >
        <FilterText label="Name is exactly" value={name} onApply={(value) => filter({ name: value })} />
        <FilterText
          label="Name or description contains"
          value={typed}
          onApply={(value) => filter({ contains: value })}
        />
        <ReachFilter scope={scope} onChange={filter} />
      </FilterBar>
      {search.drawer === undefined ? null : (
        <GroupDrawers {...opened} item={opened.item ?? scope.group} onClose={close} onDeleted={leave} />
      )}
      {matches ? (
        <Scanned
          list={whole}
          enabled
          filter={typed ?? ""}
          matches={matches}
          what="groups"
          one="group"
          emptyState={emptyState}
        >
          {(found) => <PlacedTable {...facts} {...found} scanned />}
        </Scanned>
      ) : (
        <PlacedTable {...facts} {...paged} scanned={false} emptyState={emptyState} />
      )}
    </Page>
  );
}
