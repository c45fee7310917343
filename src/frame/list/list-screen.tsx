import { useQueryClient, type QueryKey } from "@tanstack/react-query";
import { useCallback, type ReactNode } from "react";
import { useRefusal } from "~/frame/permissions/use-can";
import { withoutHidden } from "~/api/mutations/hidden";
import { FooterAction } from "~/ui/table/footer";
import { ListTable } from "~/ui/table/list-table";
import type { Merging } from "~/ui/table/merged-rows";
import type { Column } from "~/ui/table/types";
import { thePast } from "~/api/client/moment";
import type { ListSelection } from "~/ui/table/use-selection";
import { type MenuAction, deleteAction } from "~/ui/overlay/menu";
import { useNarrow } from "~/ui/layout/use-media";
import { Page, PageHeader } from "~/ui/layout/page";
import type { ListSearch } from "./list-search";
import { ClientFilteredList, type ScanWords } from "./client-filtered-list";
import { useScope, type Scope } from "~/frame/scope/scope";
import { useTitle } from "~/frame/scope/title";
import { useCreateRefusal, useSeenInPart } from "~/frame/scope/use-sight";
import { Help } from "~/frame/help/help";
import { useList } from "./use-list";
import { useView, type ViewChange } from "~/frame/use-view";
import { AncestorNames } from "./ancestor-names";
import { useCleanAddress } from "~/frame/clean-address";
import { useOpened } from "~/frame/form/use-opened";
import { hasGroup } from "./columns";
import { NoRows } from "./no-rows";
import { capitalize } from "~/ui/display/capitalize";
import type { Item, Screens } from "~/frame/define";
import { iconOf } from "~/frame/kind-icons";
import { useNotShown, useShownTotal } from "./left-out";
import { recordActions } from "~/frame/request-inspector/record-actions";
import { useDeletion } from "~/frame/record/use-deletion";

/** Returns the menu of a row: the list's own entries, those of every record, edit and delete. */
function useRowMenu<T extends Item, I>(
  { screens, open, refusal }: ListScreen<T, I>,
  actions: ((row: T) => readonly MenuAction[]) | undefined,
): (row: T) => MenuAction[] {
  const { resource, nameOf, deletion } = screens;
  const remove = useDeletion(screens, ({ uid }) => open("delete", uid));
  return (row) => [
    ...(actions?.(row) ?? []),
    ...recordActions(row, nameOf(row)),
    ...(resource.update
      ? [{ label: "Edit", onSelect: () => open("edit", row.uid), disabled: refusal(row, "update") }]
      : []),
    ...(resource.delete ? [deleteAction(deletion.label, () => remove(row), refusal(row, "delete"))] : []),
  ];
}

const NO_ROWS: readonly never[] = [];

const rowMark = ({ uid }: Item) => thePast()?.differenceOf(uid);

interface ListLimits {
  /** Replaces the scope in the address. */
  readonly scope?: Scope;
  /** False while the scope is not known yet. */
  readonly enabled?: boolean;
}

/** The state of a list screen: its view from the address, its rows, and what the user is permitted to do with them. */
export function useListScreen<T extends Item, I>(screens: Screens<T, I>, limits: ListLimits = {}) {
  const search = useCleanAddress(screens.readList);
  const addressed = useScope();
  const { enabled = true } = limits;
  const refusal = useRefusal();
  const { show, open, close, filter } = useView<ListSearch>();
  const { resource, defaultOrder, locked } = screens;
  const resolved = screens.resolve(limits.scope ?? addressed, search, true);
  const { scope, holder, list, matches } = resolved;
  const rows = useList({
    list,
    scope,
    search,
    defaultOrder,
    enabled: enabled && matches === undefined,
    view: resolved.key,
  });
  const createRefusal = useCreateRefusal(resource, holder ?? scope.group, rows.paged.rows.length === 0);
  return {
    screens,
    search,
    ...resolved,
    enabled,
    rows,
    open,
    close,
    /** Sets filters, or the reach of the scope. */
    filter: (change: Readonly<Record<string, string | undefined>>) =>
      filter(change as ViewChange<ListSearch>),
    /** Drops the columns of a link, once the user has chosen their own. */
    keepColumns: () => show({ columns: undefined }, true),
    /** The same without a new history entry. */
    replace: (change: Readonly<Record<string, string | undefined>>) =>
      show({ ...change, at: undefined } as ViewChange<ListSearch>, true),
    /** Why the user cannot create a record here. */
    createRefusal,
    /** Why the user cannot change or delete a record. */
    refusal: (record: T, verb: "update" | "delete"): string | undefined => {
      const endpoint = resource[verb];
      return locked(record) ?? (endpoint && refusal(endpoint, record.uid));
    },
  };
}

export type ListScreen<T extends Item, I = unknown> = ReturnType<typeof useListScreen<T, I>>;

interface ListPageProps<T extends Item, I> {
  readonly list: ListScreen<T, I>;
  /** One line: what these records are. */
  readonly description?: ReactNode;
  /** The concept that a mark beside the description explains; by default what the list is of. */
  readonly about?: string;
  /** The page title and the page header, if not the resource's own. */
  readonly title?: string;
  readonly head?: ReactNode;
  /** The one primary action: on phones, in the footer of the list. */
  readonly action?: ReactNode;
  /** Other actions, before it. */
  readonly actions?: ReactNode;
  /** Called after a deletion; default: closes the dialog. */
  readonly onDeleted?: (uid: string) => void;
  /** `<ListFilters>`, then `<ListRows>`. */
  readonly children: ReactNode;
}

/** The frame of a list screen: its header, and the open drawer. */
export function ListPage<T extends Item, I>(props: ListPageProps<T, I>): ReactNode {
  const { list, description, action, actions, head, children } = props;
  const { screens, rows, scope, holder } = list;
  const { shown, close } = useOpened(rows.opened, list.close);
  const { drawers: Drawers } = screens;
  const { title = capitalize(screens.resource.plural) } = props;
  useTitle(title);
  const part = useSeenInPart(screens.resource.list, screens.resource.plural, holder ?? scope.group);
  const below = useNarrow() && head === undefined && action !== undefined;
  return (
    <Page fill>
      {head ?? (
        <PageHeader
          title={title}
          icon={iconOf(screens.resource.collection)}
          description={
            <>
              {description}
              {part === undefined ? null : ` ${part}`} <Help about={props.about ?? screens.resource.plural} />
            </>
          }
          actions={
            below ? (
              actions
            ) : (
              <>
                {actions}
                {action}
              </>
            )
          }
        />
      )}
      {Drawers && shown ? (
        <Drawers
          {...rows.opened}
          scope={holder ?? scope.group}
          onClose={close}
          onDeleted={props.onDeleted ?? close}
        />
      ) : null}
      {below ? <FooterAction value={action}>{children}</FooterAction> : children}
    </Page>
  );
}

interface ListPartProps<T extends Item, I> {
  readonly list: ListScreen<T, I>;
  /** Defined outside of components. */
  readonly columns: readonly Column<T>[];
}

type TableProps<T> = Parameters<typeof ListTable<T>>[0];

interface ListRowsProps<T extends Item, I>
  extends ListPartProps<T, I>, Pick<ScanWords, "called" | "arranged"> {
  /** Below the name if there is no room for columns. */
  readonly summary?: (row: T) => ReactNode;
  /** Beside the name then: a state, a time. */
  readonly aside?: (row: T) => ReactNode;
  /** Menu entries of a row, before those that every row has. */
  readonly actions?: (row: T) => readonly MenuAction[];
  /** Key of the queries of the cells: refreshed with the rows. */
  readonly alsoRefresh?: QueryKey;
  /** Which neighbouring records are one row; defined outside of components. */
  readonly merging?: Merging<T>;
  /** Makes rows selectable: `useBulkDelete()`. */
  readonly selection?: ListSelection<T>;
  /** Shown if the user cannot see the group or record that the list belongs to. */
  readonly missing?: ReactNode;
  /** Why the list takes the permission that it takes, as the beginning of a sentence. */
  readonly because?: string;
  /** Where else to look if nothing passes the filters. */
  readonly elsewhere?: ReactNode;
  /** Renders the rows of a scan, if not in the plain table: in another order, or grouped. */
  readonly table?: (props: TableProps<T>) => ReactNode;
  /** Shown if there are no records at all: `<NothingYet>`. */
  readonly children: ReactNode;
}

/** The table, with rows read by page or found by a scan, the row menus, and the empty state. */
export function ListRows<T extends Item, I>(props: ListRowsProps<T, I>): ReactNode {
  const { list, columns, summary, aside, actions, alsoRefresh, selection, missing, called, arranged } = props;
  const { table: draw = (found) => <ListTable {...found} />, children } = props;
  const client = useQueryClient();
  const { screens, search, scope, holder, matches, words, rows } = list;
  const { resource, nameOf, link } = screens;
  const { plural } = resource;
  const keyed = resource.keyedByParent;
  const hidden = useNotShown(list.leftOut);
  const total = useShownTotal(list.leftOut, rows.paged);
  const menu = useRowMenu(list, actions);
  const table = {
    ...rows.table,
    label: capitalize(plural),
    columns,
    shared: search.columns,
    rowName: nameOf,
    rowLink: useCallback(({ uid }: T) => link(uid), [link]),
    rowActions: menu,
    rowMark,
    merging: props.merging,
    // Whatever is done with several records at once changes them.
    selection: thePast() ? undefined : selection,
    ...(summary && { summary }),
    ...(aside && { aside }),
  };
  const emptyState = (
    <NoRows
      list={resource.list}
      what={plural}
      group={holder === undefined ? scope.group : undefined}
      within={holder ?? scope.group}
      missing={missing}
      because={props.because}
      elsewhere={props.elsewhere}
      filters={words}
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
  // Loads names only if a column shows them.
  const named = (some: readonly T[]): readonly T[] => (hasGroup(columns) ? some : NO_ROWS);
  if (!matches) {
    const { onRefresh } = rows.paged;
    const shown = withoutHidden(rows.paged.rows, total, hidden);
    return (
      <AncestorNames rows={named(shown.rows)} scope={scope.group} at={at} keyed={keyed} onlyNear={false}>
        <ListTable
          {...table}
          {...rows.paged}
          {...shown}
          onRefresh={refreshing(onRefresh)}
          emptyState={emptyState}
        />
      </AncestorNames>
    );
  }
  return (
    <ClientFilteredList
      list={list.whole}
      enabled={list.enabled}
      filter={words.join(", ")}
      matches={matches}
      step={screens.scanStep}
      what={plural}
      one={resource.noun}
      called={called}
      arranged={arranged}
      emptyState={emptyState}
    >
      {(found) => (
        <AncestorNames rows={named(found.rows)} scope={scope.group} at={at} keyed={keyed} onlyNear>
          {draw({
            ...table,
            ...found,
            ...withoutHidden(found.rows, found.total, hidden),
            onRefresh: refreshing(found.query.refetch),
          })}
        </AncestorNames>
      )}
    </ClientFilteredList>
  );
}
