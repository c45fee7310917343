import { useQueryClient, type QueryKey } from "@tanstack/react-query";
import type { ComponentType, ReactNode } from "react";

import { useRefusal } from "~/access/use-can";
import { FilterToggle } from "~/ui/controls/filter-toggle";
import { FilterBar, FilterSelect, FilterText } from "~/ui/controls/filters";
import { ListTable } from "~/ui/table/list-table";
import type { Column } from "~/ui/table/types";
import type { ListSelection } from "~/ui/table/use-selection";
import { deleteAction, type MenuAction } from "~/ui/overlay/menu";
import { onDemand } from "~/ui/on-demand";
import { Page, PageHeader } from "~/ui/layout/page";
import { recordActions } from "~/features/request-inspector/record-actions";
import type { ListSearch } from "./list-search";
import { ListTools } from "./list-tools";
import { DepthFilter } from "./depth-filter";
import { ClientFilteredList } from "./client-filtered-list";
import { useScope, type Scope } from "~/features/scope/scope";
import { useTitle } from "~/features/scope/title";
import { useList } from "./use-list";
import { useView, type ViewChange } from "./use-view";

import { AncestorNames } from "./ancestor-names";
import { useCleanAddress } from "./clean-address";
import { fileColumns, hasGroup } from "./columns";
import { capitalize, type Item, type Screens } from "./define";
import type { DrawersProps } from "./drawers";

const NO_ROWS: readonly never[] = [];

const NoRows = onDemand(async () => (await import("./no-rows")).NoRows);

interface ListLimits {
  /** Limits the list in place of the scope in the address. */
  readonly scope?: Scope;
  /** False while the scope is not known yet. */
  readonly enabled?: boolean;
}

const EVERYWHERE: Scope = { group: undefined, reach: "below" };

/** What the address says of a list screen, its rows, and what this person may do with them. */
export function useListScreen<T extends Item, I>(screens: Screens<T, I>, limits: ListLimits = {}) {
  const search = useCleanAddress(screens.readList);
  const addressed = useScope();
  const { scope = screens.atRoot ? EVERYWHERE : addressed, enabled = true } = limits;
  const refusal = useRefusal();
  const { open, close, filter } = useView<ListSearch>();
  const { resource, defaultOrder, locked } = screens;
  const matches = screens.matcher(search);
  const rows = useList({
    list: screens.list(scope, search),
    scope,
    search,
    defaultOrder,
    enabled: enabled && matches === undefined,
  });
  return {
    screens,
    search,
    scope,
    enabled,
    /** Whether a row passes the filters that the service lacks; undefined: the service answers for all of them. */
    matches,
    rows,
    /** The query of the same list in the largest pages. */
    whole: screens.whole(scope, search),
    open,
    close,
    /** Sets filters, or how far the scope reaches. */
    filter: (change: Readonly<Record<string, string | undefined>>) =>
      filter(change as ViewChange<ListSearch>),
    /** Why this person may not create one here. */
    createRefusal: resource.create && refusal(resource.create, scope.group),
    /** Why this person may not change or delete a record. */
    refusal: (record: T, verb: "update" | "delete"): string | undefined => {
      const endpoint = resource[verb];
      return locked(record) ?? (endpoint && refusal(endpoint, record.uid));
    },
  };
}

export type ListScreen<T extends Item, I = unknown> = ReturnType<typeof useListScreen<T, I>>;

interface ListPageProps<T extends Item, I> {
  readonly list: ListScreen<T, I>;
  /** One line: what these are. */
  readonly description: ReactNode;
  /** The one primary action. */
  readonly action?: ReactNode;
  readonly drawers?: ComponentType<DrawersProps<T>>;
  /** After a record is gone; closes the question unless something else is to happen. */
  readonly onDeleted?: (uid: string) => void;
  /** `<ListFilters>`, then `<ListRows>`. */
  readonly children: ReactNode;
}

/** The frame of a list screen: its head, and the drawer that is open over it. */
export function ListPage<T extends Item, I>(props: ListPageProps<T, I>): ReactNode {
  const { list, description, action, drawers: Drawers, onDeleted = list.close, children } = props;
  const { screens, rows, scope, close } = list;
  const title = capitalize(screens.plural);
  useTitle(title);
  return (
    <Page fill>
      <PageHeader title={title} description={description} actions={action} />
      {Drawers && rows.opened.drawer !== undefined ? (
        <Drawers {...rows.opened} scope={scope.group} onClose={close} onDeleted={onDeleted} />
      ) : null}
      {children}
    </Page>
  );
}

interface ListPartProps<T extends Item, I> {
  readonly list: ListScreen<T, I>;
  /** Defined outside of components. */
  readonly columns: readonly Column<T>[];
}

/** The filters of the resource and of the scope, and what every list offers beside them. */
export function ListFilters<T extends Item, I>({ list, columns }: ListPartProps<T, I>): ReactNode {
  const { screens, search, scope, filter, whole, matches } = list;
  const client = useQueryClient();
  return (
    <FilterBar
      search={search}
      none={screens.noFilters}
      onChange={filter}
      tools={
        <ListTools
          label={capitalize(screens.plural)}
          columns={columns}
          list={whole}
          matches={matches}
          group={scope.group}
          columnsOf={async (found) =>
            hasGroup(columns)
              ? fileColumns(
                  columns,
                  await (
                    await import("~/features/scope/read-ancestor-names")
                  ).readAncestorNames(client, found),
                )
              : columns
          }
        />
      }
    >
      {Object.entries(screens.filters).map(([name, { label, control }]) => {
        const value = search[name];
        const apply = (next: string | undefined) => filter({ [name]: next });
        if (control === "flag")
          return (
            <FilterToggle
              key={name}
              label={label}
              checked={value !== undefined}
              onChange={(checked) => apply(checked ? "yes" : undefined)}
            />
          );
        return typeof control === "string" ? (
          <FilterText key={name} label={label} type={control} value={value} onApply={apply} />
        ) : (
          <FilterSelect key={name} label={label} value={value} options={control} onChange={apply} />
        );
      })}
      <DepthFilter scope={scope} onChange={filter} />
    </FilterBar>
  );
}

interface ListRowsProps<T extends Item, I> extends ListPartProps<T, I> {
  /** Beneath the name where there is no room for columns. */
  readonly summary?: (row: T) => ReactNode;
  /** In the menu of a row, before what every row has. */
  readonly actions?: (row: T) => readonly MenuAction[];
  /** Key of other queries, which the cells of a row make: refreshed with the rows. */
  readonly alsoRefresh?: QueryKey;
  /** Makes rows selectable: `useBulkDelete()`. */
  readonly selection?: ListSelection<T>;
  /** What to say where the group that the list is limited to cannot be seen. */
  readonly missing?: ReactNode;
  /** What to say when there are none at all: `<NothingYet>`. */
  readonly children: ReactNode;
}

/** The table, be its rows read by pages or found by a scan, the menu of a row, and what stands where there is none. */
export function ListRows<T extends Item, I>(props: ListRowsProps<T, I>): ReactNode {
  const { list, columns, summary, actions, alsoRefresh, selection, missing, children } = props;
  const client = useQueryClient();
  const { screens, search, scope, matches, rows, open, refusal } = list;
  const { resource, nameOf, link, plural } = screens;
  const menu = (row: T): MenuAction[] => [
    ...(actions?.(row) ?? []),
    ...recordActions(row, nameOf(row)),
    ...(resource.update
      ? [{ label: "Edit", onSelect: () => open("edit", row.uid), disabled: refusal(row, "update") }]
      : []),
    ...(resource.delete ? [deleteAction(() => open("delete", row.uid), refusal(row, "delete"))] : []),
  ];
  const table = {
    ...rows.table,
    label: capitalize(plural),
    columns,
    rowName: nameOf,
    rowLink: ({ uid }: T) => link(uid),
    rowActions: menu,
    selection,
    ...(summary && { summary }),
  };
  const emptyState = (
    <NoRows
      list={resource.list}
      what={plural}
      group={scope.group}
      missing={missing}
      filters={screens.describe(search)}
      onClear={() => list.filter(screens.noFilters)}
    >
      {children}
    </NoRows>
  );
  const refreshing = (read: (() => unknown) | undefined) => () => {
    if (alsoRefresh) void client.invalidateQueries({ queryKey: alsoRefresh });
    return read?.();
  };
  const { at } = rows.table;
  if (!matches) {
    const { onRefresh } = rows.paged;
    return (
      <AncestorNames rows={hasGroup(columns) ? rows.paged.rows : NO_ROWS} at={at} onlyNear={false}>
        <ListTable {...table} {...rows.paged} onRefresh={refreshing(onRefresh)} emptyState={emptyState} />
      </AncestorNames>
    );
  }
  return (
    <ClientFilteredList
      list={list.whole}
      enabled={list.enabled}
      filter={screens.describe(search).join(", ")}
      matches={matches}
      what={plural}
      one={resource.noun}
      emptyState={emptyState}
    >
      {(found) => (
        <AncestorNames rows={hasGroup(columns) ? found.rows : NO_ROWS} at={at} onlyNear>
          <ListTable {...table} {...found} onRefresh={refreshing(found.query.refetch)} />
        </AncestorNames>
      )}
    </ClientFilteredList>
  );
}
