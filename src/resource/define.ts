import type { QueryClient } from "@tanstack/react-query";

import { anchorOf } from "~/api/queries/lists";
import { infinite, one } from "~/api/queries/queries";
import { PAGE_SIZE_MAX } from "~/contract/aip";
import type { Behavior } from "~/contract/behavior";
import type { Endpoint, Schema } from "~/contract/endpoint";
import { listPath } from "~/contract/kinds";
import type { ListAnswer, ListQuery } from "~/contract/resource";
import type { LinkTarget } from "~/ui/layout/link";
import { shorten } from "~/ui/display/shorten";
import { isUidParam, readDrawer, readListSearch, type Address, type ListSearch } from "./list-search";
import { preloadScan } from "./preload-client-filter";
import { readScopeSearch, scopeOf, scopeQuery, type Scope } from "~/features/scope/scope";
import { paramToUid, uidToParam } from "~/features/scope/uid-param";

import type { Dependents } from "~/features/undo/begin";

import type { Filter, Filters } from "./filters";

export interface Item {
  readonly uid: string;
  readonly name?: string | undefined;
  readonly createTime?: string | undefined;
  readonly updateTime?: string | undefined;
}

/** What screens need of a `resource()` of the contract, which may lack some verbs. */
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
  /** Left out where the list is that of no resource: what stands for one row is not a page of the frame. */
  readonly get?: Endpoint<object, undefined, T>;
  readonly create?: Endpoint<object, I, T>;
  readonly update?: Endpoint<{ updateMask?: string | undefined }, Partial<I>, T>;
  readonly delete?: Endpoint<object, undefined, undefined>;
}

interface Options<T> {
  readonly filters: Filters<T>;
  /** The order of the list unless somebody chooses another, as in `order_by`. */
  readonly order: string;
  /** Search parameter with the uid of a record, where the list can be that of one record rather than of a group. */
  readonly within?: string;
  /** Parameters of the request that depend on several filters. */
  readonly query?: (view: ListView) => object;
  /** The same for rows: checked where the whole list is read, since rows that are written meanwhile join it unasked. */
  readonly belongs?: (view: ListView) => (row: T) => boolean;
  /** Fields that only this console orders by: the whole list is read for them. */
  readonly clientOrders?: readonly string[];
  /** How the whole list is read, where its own order moves meanwhile; the screen puts the rows in order. */
  readonly scanOrder?: string;
  /** Drawers over the list besides "create", "edit" and "delete"; over the page of a record besides the latter two. */
  readonly listDrawers?: readonly string[];
  readonly pageDrawers?: readonly string[];
  /** What a record is called, where that is not its name. */
  readonly nameOf?: (record: T) => string;
  /** Why nobody can change this record here; undefined: it can be changed. */
  readonly locked?: (record: T) => string | undefined;
  /**
   * What a record is deleted with that something would notice. Where all of these lists are empty, and where there are none,
   * it can be deleted without a question, since that can be undone for some seconds. Left out: somebody is always asked.
   */
  readonly dependents?: (uid: string) => readonly Dependents[];
  /** The list is that of the records at the root level, whatever the scope. */
  readonly atRoot?: boolean;
  /** What it lists lies in no group: no scope limits it. */
  readonly ungrouped?: boolean;
}

/** What the address says of a list: its filters by name, and what every list has. */
export type ListView = ListSearch & Readonly<Record<string, string | undefined>>;
export interface PageView {
  readonly drawer?: string | undefined;
}

/** What the screens of one resource share: its queries, its filters, its addresses and its words. No component. */
export function defineScreens<T extends Item, I>(resource: Contract<T, I>, options: Options<T>) {
  const {
    filters,
    order: defaultOrder,
    within,
    atRoot = false,
    ungrouped = false,
    listDrawers = [],
    pageDrawers = [],
  } = options;
  const { clientOrders = [], scanOrder } = options;
  const path = listPath(resource.collection);
  const named = Object.entries<Filter<T>>(filters);
  const searching = named.filter(([, { searches }]) => searches);
  const changing = [...(resource.update ? ["edit"] : []), ...(resource.delete ? ["delete"] : [])];
  const overList = [...(resource.create ? ["create"] : []), ...changing, ...listDrawers];
  const inForce = (view: ListView) =>
    named.flatMap(([name, filter]) => {
      const value = view[name];
      return value === undefined ? [] : [{ filter, value }];
    });

  /** uid of the record whose list it is. */
  const holderOf = (view: ListView): string | undefined => {
    const param = within === undefined ? undefined : view[within];
    return param === undefined ? undefined : paramToUid(param);
  };
  /** Which rows the service is asked for, in whatever order. */
  const narrowed = (scope: Scope, view: ListView): object => {
    const holder = holderOf(view);
    const limit = atRoot ? { "uidp.in_root": true } : ungrouped ? {} : scopeQuery(scope);
    return Object.assign(
      holder === undefined ? limit : { "uidp.children_of": holder },
      ...inForce(view).map(({ filter, value }) => filter.query?.(value)),
      options.query?.(view),
    ) as object;
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
  /** The view that the address of the list means; what means nothing is left out, so that an old link still works. */
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
  /** Whether a row passes the filters that the service lacks; undefined where the service can give the view as it is. */
  const matcher = (view: ListView): ((row: T) => boolean) | undefined => {
    const tests = inForce(view).flatMap(({ filter, value }) => filter.matches?.(value) ?? []);
    const ordered = clientOrders.some((field) => field === view.order?.split(" ")[0]);
    if (tests.length === 0 && !ordered) return undefined;
    const belongs = options.belongs?.(view);
    return (row) => (belongs?.(row) ?? true) && tests.every((passes) => passes(row));
  };
  /** The filters in force, in words. */
  const describe = (view: ListView): string[] =>
    inForce(view).flatMap(({ filter, value }) => filter.describe?.(value) ?? []);
  /** Which filter the search field shows, by its search parameter. */
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
    /** Whether the scope of the address says nothing of the list. */
    everywhere: atRoot || ungrouped,
    dependents: options.dependents,
    locked: (row: T): string | undefined => options.locked?.(row),
    nameOf: (row: T): string => options.nameOf?.(row) ?? (row.name || shorten(row.uid)),
    readList,
    /** The same for the page of one record. */
    readPage: (address: Address): PageView => readDrawer(address, [...changing, ...pageDrawers]),
    matcher,
    list: (scope: Scope, view: ListView) => listQuery(scope, view),
    /** The same list in the largest pages, to be read to its end. */
    whole: (scope: Scope, view: ListView) => listQuery(scope, view, scanOrder, PAGE_SIZE_MAX),
    holderOf,
    /** Which rows there are, as text, in whatever order they stand. */
    viewKey: (scope: Scope, view: ListView): string =>
      JSON.stringify([narrowed(scope, view), describe(view)]),
    record,
    describe,
    searchedBy,
    /** What the search field looks in: the widest of its filters; undefined where the list has no such field. */
    searchesIn: searching.at(-1)?.[1].label,
    /**
     * What a text in the search field asks for, as a change of the address: the first filter that takes it, behind the one
     * named `after`; undefined where there is none.
     */
    searchFor(text: string | undefined, after?: string): Record<string, string | undefined> | undefined {
      const change: Record<string, string | undefined> = {};
      for (const [name] of searching) change[name] = undefined;
      if (text === undefined) return change;
      const behind = searching.findIndex(([name]) => name === after) + 1;
      const [name, filter] = searching.slice(behind).find(([, { searches }]) => searches?.(text)) ?? [];
      return name === undefined ? undefined : { ...change, [name]: filter?.parse(text) };
    },
    /** Each filter, undefined: what clears them all. */
    noFilters: Object.fromEntries(
      named.flatMap(([name, filter]) => (filter.describe ? [[name, undefined]] : [])),
    ),
    /** Asks for the list of an address while the code of the screen is still on its way. */
    startList(client: QueryClient, address: Address): void {
      const view = readList(address);
      // A scan begins by itself as soon as its code is there.
      if (matcher(view)) preloadScan();
      else void client.prefetchInfiniteQuery(listQuery(scopeOf(readScopeSearch(address)), view));
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

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
