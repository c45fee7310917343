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
import { readDrawer, readListSearch, type Address, type ListSearch } from "./list-search";
import { preloadScan } from "./preload-client-filter";
import { readScopeSearch, scopeOf, scopeQuery, type Scope } from "~/features/scope/scope";
import { uidToParam } from "~/features/scope/uid-param";

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
  readonly affects: readonly string[];
  readonly sortable: readonly string[];
  readonly request: Schema<I>;
  readonly behavior: Behavior;
  readonly list: Endpoint<ListQuery, undefined, ListAnswer<T>>;
  readonly get: Endpoint<object, undefined, T>;
  readonly create?: Endpoint<object, I, T>;
  readonly update?: Endpoint<{ updateMask?: string | undefined }, Partial<I>, T>;
  readonly delete?: Endpoint<object, undefined, undefined>;
}

interface Options<T> {
  readonly filters: Filters<T>;
  /** The order of the list unless somebody chooses another, as in `order_by`. */
  readonly order: string;
  /** Drawers over the list besides "create", "edit" and "delete"; over the page of a record besides the latter two. */
  readonly listDrawers?: readonly string[];
  readonly pageDrawers?: readonly string[];
  /** What a record is called, where that is not its name. */
  readonly nameOf?: (record: T) => string;
  /** Why nobody can change this record here; undefined: it can be changed. */
  readonly locked?: (record: T) => string | undefined;
}

/** What the address says of a list: its filters by name, and what every list has. */
export type ListView = ListSearch & Readonly<Record<string, string | undefined>>;
export interface PageView {
  readonly drawer?: string | undefined;
}

/** What the screens of one resource share: its queries, its filters, its addresses and its words. No component. */
export function defineScreens<T extends Item, I>(resource: Contract<T, I>, options: Options<T>) {
  const { filters, order: defaultOrder, listDrawers = [], pageDrawers = [] } = options;
  const path = listPath(resource.collection);
  const named = Object.entries<Filter<T>>(filters);
  const changing = [...(resource.update ? ["edit"] : []), ...(resource.delete ? ["delete"] : [])];
  const overList = [...(resource.create ? ["create"] : []), ...changing, ...listDrawers];
  const inForce = (view: ListView) =>
    named.flatMap(([name, filter]) => {
      const value = view[name];
      return value === undefined ? [] : [{ filter, value }];
    });

  const listQuery = (scope: Scope, view: ListView, pageSize?: number) =>
    infinite<T, ListQuery>(
      resource.list,
      {
        ...scopeQuery(scope),
        ...Object.assign({}, ...inForce(view).map(({ filter, value }) => filter.query?.(value))),
        ...(pageSize !== undefined && { page_size: pageSize }),
        order_by: view.order ?? defaultOrder,
      },
      { skip: anchorOf(Number(view.at ?? 0)) },
    );
  /** The view that the address of the list means; what means nothing is left out, so that an old link still works. */
  const readList = (address: Address): ListView => ({
    ...readListSearch(address, resource.sortable, overList),
    ...Object.fromEntries(
      named.flatMap(([name, { parse }]) => {
        const text = address[name];
        const value = typeof text === "string" ? parse(text) : undefined;
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  });
  /** Whether a row passes the filters that the service lacks; undefined where none of those is in force. */
  const matcher = (view: ListView): ((row: T) => boolean) | undefined => {
    const tests = inForce(view).flatMap(({ filter, value }) => filter.matches?.(value) ?? []);
    return tests.length === 0 ? undefined : (row) => tests.every((passes) => passes(row));
  };
  const record = (uid: string) => one(resource.get, { uid });

  return {
    resource,
    filters,
    defaultOrder,
    locked: (row: T): string | undefined => options.locked?.(row),
    nameOf: (row: T): string => options.nameOf?.(row) ?? (row.name || shorten(row.uid)),
    readList,
    /** The same for the page of one record. */
    readPage: (address: Address): PageView => readDrawer(address, [...changing, ...pageDrawers]),
    matcher,
    list: (scope: Scope, view: ListView) => listQuery(scope, view),
    /** The same list in the largest pages, to be read to its end. */
    whole: (scope: Scope, view: ListView) => listQuery(scope, view, PAGE_SIZE_MAX),
    record,
    /** The filters in force, in words. */
    describe: (view: ListView): string[] => inForce(view).map(({ filter, value }) => filter.describe(value)),
    /** Each filter, undefined: what clears them all. */
    noFilters: Object.fromEntries(named.map(([name]) => [name, undefined])),
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
