import type { QueryClient } from "@tanstack/react-query";
import type { ComponentType } from "react";

import { defaultOrderOf } from "~/api/paging/default-order";
import { anchorOf } from "~/api/queries/lists";
import { infinite, one } from "~/api/queries/queries";
import { PAGE_SIZE_MAX } from "platform-contract/aip";
import type { Behavior } from "platform-contract/behavior";
import type { Endpoint, Schema } from "platform-contract/endpoint";
import { listPath } from "platform-contract/kinds";
import type { ListAnswer, ListQuery } from "platform-contract/resource";
import type { LinkTarget } from "~/ui/layout/link";
import { onDemand } from "~/ui/on-demand";
import { shorten } from "~/ui/display/shorten";
import { isUidParam, readDrawer, type Address } from "./scope/address";
import { readListSearch, type ListSearch } from "./list/list-search";
import { loadListExtras } from "./list/load-list-extras";
import { readScopeSearch, scopeOf, scopeQuery, type Scope } from "./scope/scope";
import { paramToUid, uidToParam } from "./scope/uid-param";

import type { BeforeDeletion, Dependents } from "./undo/begin";

import type { DrawersProps } from "./form/drawers";
import type { Filter, Filters } from "./list/filters";

export interface Item {
  readonly uid: string;
  readonly name?: string | undefined;
  readonly createTime?: string | undefined;
  readonly updateTime?: string | undefined;
}

/** The part of a contract `resource()` that screens need; some verbs can be missing. */
export interface Contract<T, I> {
  readonly collection: string;
  readonly noun: string;
  readonly plural: string;
  readonly keyedByParent?: true;
  readonly affects: readonly string[];
  readonly sortable: readonly string[];
  readonly request: Schema<I>;
  readonly behavior: Behavior;
  readonly list: Endpoint<ListQuery, undefined, ListAnswer<T>>;
  /** Absent if the rows are not a resource, and so have no record page. */
  readonly get?: Endpoint<object, undefined, T>;
  readonly create?: Endpoint<object, I, T>;
  readonly update?: Endpoint<{ updateMask?: string | undefined }, Partial<I>, T>;
  readonly delete?: Endpoint<object, undefined, undefined>;
}

interface Options<T> {
  readonly filters: Filters<T>;
  /** Search parameter with the uid of a record, if the list can be that of one record instead of a group. */
  readonly within?: string;
  /** Request parameters that depend on several filters. */
  readonly query?: (view: ListView) => object;
  /** The same as a row test. Scans need it, since rows written meanwhile join the result without a request. */
  readonly belongs?: (view: ListView) => (row: T) => boolean;
  /** Fields that only this console can order by: takes a scan of the whole list. */
  readonly clientOrders?: readonly string[];
  /** Order in which a scan reads the list, if rows move in its own order meanwhile; the screen sorts the rows. */
  readonly scanOrder?: string;
  /** Rows that a scan reads before it asks whether to go on, for a list that can be very long. */
  readonly scanStep?: number;
  /** Drawers of the list in addition to "create", "edit" and "delete"; of a record page, to the latter two. */
  readonly listDrawers?: readonly string[];
  readonly pageDrawers?: readonly string[];
  /** Loads the form and the delete dialog, with the first drawer; absent if such records cannot be changed here. */
  readonly drawers?: () => Promise<ComponentType<DrawersProps<T>>>;
  /** Display name of a record, if not its `name`. */
  readonly nameOf?: (record: T) => string;
  /** Why this record cannot be changed here; undefined if it can. */
  readonly locked?: (record: T) => string | undefined;
  /**
   * Lists of records that a deletion affects. If all of them are empty, or there are none, the record is deleted
   * without confirmation, since the user can undo that for some seconds. If absent, the user must always confirm.
   */
  readonly dependents?: (uid: string) => readonly Dependents[];
  /** The menu's word for deleting one, if people don't call it that; default: "Delete". */
  readonly deleteLabel?: string;
  /** What else has to be known before a deletion; if it cannot be found out, the user must confirm. */
  readonly beforeDeletion?: (record: T, client: QueryClient) => Promise<BeforeDeletion>;
  /** Lists the records at the root level, whatever the scope. */
  readonly atRoot?: boolean;
  /** Uids of records that the service lists and the screen doesn't. */
  readonly leftOut?: () => ReadonlySet<string>;
  /** The records are in no group: no scope limits the list. */
  readonly ungrouped?: boolean;
}

/** A list's search parameters: its filters by name, and those of every list. */
export type ListView = ListSearch & Readonly<Record<string, string | undefined>>;
export interface PageView {
  readonly drawer?: string | undefined;
}

/** What the screens of one resource share: queries, filters, addresses, labels and drawers. */
export function defineScreens<T extends Item, I>(resource: Contract<T, I>, options: Options<T>) {
  const { filters, within, atRoot = false, ungrouped = false, listDrawers = [], pageDrawers = [] } = options;
  const { clientOrders = [], scanOrder } = options;
  const path = listPath(resource.collection);
  const defaultOrder = defaultOrderOf(resource.collection);
  const named = Object.entries<Filter<T>>(filters);
  const searching = named.filter(([, { searches }]) => searches);
  const changing = [...(resource.update ? ["edit"] : []), ...(resource.delete ? ["delete"] : [])];
  const overList = [...(resource.create ? ["create"] : []), ...changing, ...listDrawers];
  const inForce = (view: ListView) =>
    named.flatMap(([name, filter]) => {
      const value = view[name];
      return value === undefined ? [] : [{ filter, value }];
    });

  /** uid of the record that the list belongs to. */
  const holderOf = (view: ListView): string | undefined => {
    const param = within === undefined ? undefined : view[within];
    return param === undefined ? undefined : paramToUid(param);
  };
  /** Query parameters that select the rows, without the order. */
  const narrowed = (scope: Scope, view: ListView): object => {
    const holder = holderOf(view);
    const limit = atRoot ? { "uidp.in_root": true } : ungrouped ? {} : scopeQuery(scope);
    return Object.assign(
      holder === undefined ? limit : { "uidp.children_of": holder },
      ...inForce(view).map(({ filter, value }) => filter.query?.(value)),
      options.query?.(view),
    );
  };
  /** The rows that the screen leaves out and the service counts: a list of at most as many as are named. */
  const leftOutRows = (scope: Scope, view: ListView) => {
    const uids = [...(options.leftOut?.() ?? [])];
    const query = { ...narrowed(scope, view), "uidp.ids": uids, page_size: uids.length };
    return { some: uids.length > 0, list: infinite<T, ListQuery>(resource.list, query) };
  };
  const listQuery = (scope: Scope, view: ListView, order = view.order ?? defaultOrder, pageSize?: number) =>
    infinite<T, ListQuery>(
      resource.list,
      {
        ...narrowed(scope, view),
        ...(pageSize !== undefined && { page_size: pageSize }),
        order_by: order,
      },
      { skip: anchorOf(Number(view.at ?? 0)) },
    );
  /** Reads the view from the list's address; ignores invalid values, so that an old link still works. */
  const readList = (address: Address): ListView => ({
    ...readListSearch(address, [...resource.sortable, ...clientOrders], overList),
    ...(within !== undefined && isUidParam(address[within]) && { [within]: address[within] }),
    ...Object.fromEntries(
      named.flatMap(([name, { parse }]) => {
        const text = address[name];
        const value = typeof text === "string" ? parse(text) : undefined;
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  });
  /** Returns a row test for the filters that the service lacks; undefined if the service supports the whole view. */
  const matcher = (view: ListView): ((row: T) => boolean) | undefined => {
    const tests = inForce(view).flatMap(({ filter, value }) => filter.matches?.(value) ?? []);
    const ordered = clientOrders.some((field) => field === view.order?.split(" ")[0]);
    if (tests.length === 0 && !ordered) return undefined;
    const belongs = options.belongs?.(view);
    return (row) => (belongs?.(row) ?? true) && tests.every((passes) => passes(row));
  };
  /** The active filters, in words. */
  const describe = (view: ListView): string[] =>
    inForce(view).flatMap(({ filter, value }) => filter.describe?.(value) ?? []);
  /** Search parameter of the filter that the search field shows. */
  const searchedBy = (view: ListView): string | undefined =>
    searching.find(([name]) => view[name] !== undefined)?.[0];
  const record = (uid: string) => {
    if (!resource.get) throw new Error(`There is no way to get one of the ${resource.plural}`);
    return one(resource.get, { uid });
  };

  return {
    resource,
    filters,
    defaultOrder,
    /** True if the scope in the address does not limit the list. */
    everywhere: atRoot || ungrouped,
    leftOut: options.leftOut,
    leftOutRows,
    drawers: options.drawers && onDemand(options.drawers),
    scanStep: options.scanStep,
    dependents: options.dependents,
    deleteLabel: options.deleteLabel ?? "Delete",
    beforeDeletion: options.beforeDeletion,
    locked: (row: T): string | undefined => options.locked?.(row),
    nameOf: (row: T): string => options.nameOf?.(row) ?? (row.name || shorten(row.uid)),
    readList,
    /** The same for the page of one record. */
    readPage: (address: Address): PageView => readDrawer(address, [...changing, ...pageDrawers]),
    matcher,
    list: (scope: Scope, view: ListView) => listQuery(scope, view),
    /** The same list in the largest pages, to read it to its end. */
    whole: (scope: Scope, view: ListView) => listQuery(scope, view, scanOrder, PAGE_SIZE_MAX),
    holderOf,
    /** Key of the set of rows, whatever their order. */
    viewKey: (scope: Scope, view: ListView): string =>
      JSON.stringify([narrowed(scope, view), describe(view)]),
    record,
    describe,
    searchedBy,
    /** What the search field searches: the label of its widest filter; undefined if the list has no such field. */
    searchesIn: searching.at(-1)?.[1].label,
    /**
     * Returns the address change for a text in the search field: sets the first filter after the one named `after`
     * that takes the text; undefined if there is none.
     */
    searchFor(text: string | undefined, after?: string): Record<string, string | undefined> | undefined {
      const change: Record<string, string | undefined> = {};
      for (const [name] of searching) change[name] = undefined;
      if (text === undefined) return change;
      const behind = searching.findIndex(([name]) => name === after) + 1;
      const [name, filter] = searching.slice(behind).find(([, { searches }]) => searches?.(text)) ?? [];
      return name === undefined ? undefined : { ...change, [name]: filter?.parse(text) };
    },
    /** The change that clears all filters. */
    noFilters: Object.fromEntries(
      named.flatMap(([name, filter]) => (filter.describe ? [[name, undefined]] : [])),
    ),
    /** Requests the list of an address while the screen's code is still loading. */
    startList(client: QueryClient, address: Address): void {
      const view = readList(address);
      // A scan starts by itself once its code is loaded.
      if (matcher(view)) return void loadListExtras().catch(() => undefined);
      const scope = scopeOf(readScopeSearch(address));
      void client.prefetchInfiniteQuery(listQuery(scope, view));
      const leftOut = leftOutRows(scope, view);
      if (leftOut.some) void client.prefetchInfiniteQuery(leftOut.list);
    },
    /** The same for the page of one record. */
    startRecord: (client: QueryClient, uid: string): void => void client.prefetchQuery(record(uid)),
    listPath: path,
    link: (uid: string): LinkTarget => ({ to: `${path}/$uid`, params: { uid: uidToParam(uid) } }),
    /** "role bindings" */
    plural: resource.plural,
  };
}

export type Screens<T extends Item, I = unknown> = ReturnType<typeof defineScreens<T, I>>;
