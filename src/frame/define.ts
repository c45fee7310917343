import type { QueryClient } from "@tanstack/react-query";
import type { ComponentType } from "react";

import { defaultOrderOf } from "~/api/paging/default-order";
import { thePast } from "~/api/client/moment";
import { anchorOf } from "~/api/queries/lists";
import { infinite, one } from "~/api/queries/queries";
import { PAGE_SIZE_MAX } from "platform-contract/aip";
import type { Behavior } from "platform-contract/behavior";
import type { Endpoint, Schema } from "platform-contract/endpoint";
import { listPath } from "platform-contract/kinds";
import type { ListAnswer, ListQuery } from "platform-contract/resource";
import type { LinkTarget } from "~/ui/layout/link";
import { onDemand, type OnDemand } from "~/ui/on-demand";
import { shorten } from "~/ui/display/shorten";
import { isUidParam, readDrawer, type Address } from "./scope/address";
import { readListSearch, type ListSearch } from "./list/list-search";
import { loadListExtras } from "./list/load-list-extras";
import { EVERYWHERE, readScopeSearch, scopeOf, scopeQuery, type Scope } from "./scope/scope";
import { paramToUid, uidToParam } from "./scope/uid-param";

import type { BeforeDeletion, Dependents } from "./undo/begin";

import type { DrawersProps, FormProps } from "./form/drawers";
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

/** Records that a deletion takes along or waits for, counted in its dialog. */
export interface CountedRecords {
  readonly list: Endpoint<ListQuery, undefined, ListAnswer<unknown>>;
  readonly query: (uid: string) => ListQuery & Readonly<Record<string, unknown>>;
  /** "tags" */
  readonly what: string;
  /** "tag is deleted too", "tags are deleted too". */
  readonly one: string;
  readonly many: string;
  /** "It has no tags." */
  readonly none: string;
  /** The list that shows them. */
  readonly link?: (uid: string) => LinkTarget;
}

/** How a record is deleted; its dialog, unless its drawers have one of their own. */
export interface Deletion<T> {
  /** The menu's word for it, if people don't call it that; default: "Delete". */
  readonly label?: string;
  /**
   * Lists of records that a deletion affects. If all of them are empty, or there are none, the record is deleted
   * without confirmation, since the user can undo that for some seconds. If absent, the user must always confirm.
   */
  readonly dependents?: (uid: string) => readonly Dependents[];
  /** What else has to be known before; if it cannot be found out, the user must confirm. */
  readonly before?: (record: T, client: QueryClient) => Promise<BeforeDeletion>;
  /** True if it changes what somebody can do: its dialogs ask for a reason, where the service keeps one. */
  readonly changesAccess?: boolean;
  /** What is lost with the record, in sentences. */
  readonly consequence?: string;
  readonly counts?: CountedRecords;
  /** The user must type its name: always, or unless the count is known to be 0. */
  readonly typeName?: "always" | "unless empty";
}

interface Options<T> {
  readonly filters: Filters<T>;
  /** Search parameter with the uid of a record, if the list can be that of one record instead of a group. */
  readonly within?: string;
  /** Request parameters that depend on several filters. */
  readonly query?: (view: ListView) => object;
  /** How the console reads the whole list, for filters and orders that the service lacks. */
  readonly scan?: {
    /** Fields that only this console can order by. */
    readonly orders?: readonly string[];
    /** Order in which the list is read, if rows move in its own order meanwhile; the screen sorts the rows. */
    readonly by?: string;
    /** Rows to read before it asks whether to go on, for a list that can be very long. */
    readonly step?: number;
    /** The same as `query`, as a row test: rows written meanwhile join the result without a request. */
    readonly belongs?: (view: ListView) => (row: T) => boolean;
  };
  /** Absent if such records cannot be changed here. */
  readonly drawers?: {
    /** The form, if there is nothing else than it and the dialog of `deletion`; loaded with the first drawer. */
    readonly form?: () => Promise<ComponentType<FormProps<T>>>;
    /** The drawers, if there are others. */
    readonly load?: () => Promise<ComponentType<DrawersProps<T>>>;
    /** Names of drawers of the list in addition to "create", "edit" and "delete"; of a record page, to the latter two. */
    readonly list?: readonly string[];
    readonly page?: readonly string[];
  };
  /** Display name of a record, if not its `name`. */
  readonly nameOf?: (record: T) => string;
  /** Why this record cannot be changed here; undefined if it can. */
  readonly locked?: (record: T) => string | undefined;
  readonly deletion?: Deletion<T>;
  /** Which records, whatever the scope: those at the root level, or all, since they are in no group. */
  readonly lists?: "root" | "everything";
  /** Uids of records that the service lists and the screen doesn't. */
  readonly leftOut?: () => ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** A list's search parameters: its filters by name, and those of every list. */
export type ListView = ListSearch & Readonly<Record<string, string | undefined>>;
export interface PageView {
  readonly drawer?: string | undefined;
}

/** What the screens of one resource share: queries, filters, addresses, labels and drawers. */
export function defineScreens<T extends Item, I>(resource: Contract<T, I>, options: Options<T>) {
  const { filters, within, lists, scan = {}, drawers = {}, deletion = {} } = options;
  const path = listPath(resource.collection);
  const defaultOrder = defaultOrderOf(resource.collection);
  const named = Object.entries<Filter<T>>(filters);
  const searching = named.filter(([, { searches }]) => searches);
  const changing = [...(resource.update ? ["edit"] : []), ...(resource.delete ? ["delete"] : [])];
  const overList = [...(resource.create ? ["create"] : []), ...changing, ...(drawers.list ?? [])];
  const orders = scan.orders ?? [];
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
  const narrowed = (scope: Scope, holder: string | undefined, view: ListView): object => {
    const limit = lists === "root" ? { "uidp.in_root": true } : lists ? {} : scopeQuery(scope);
    return Object.assign(
      holder === undefined ? limit : { "uidp.children_of": holder },
      ...inForce(view).map(({ filter, value }) => filter.query?.(value)),
      options.query?.(view),
    );
  };
  /** Reads the view from the list's address; ignores invalid values, so that an old link still works. */
  const readList = (address: Address): ListView => ({
    ...readListSearch(address, [...resource.sortable, ...orders], overList),
    ...(within !== undefined && isUidParam(address[within]) && { [within]: address[within] }),
    ...Object.fromEntries(
      named.flatMap(([name, { parse }]) => {
        const text = address[name];
        const value = typeof text === "string" ? parse(text) : undefined;
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  });
  const matcher = (view: ListView): ((row: T) => boolean) | undefined => {
    const tests = inForce(view).flatMap(({ filter, value }) => filter.matches?.(value) ?? []);
    const ordered = orders.some((field) => field === view.order?.split(" ")[0]);
    if (tests.length === 0 && !ordered) return undefined;
    const belongs = scan.belongs?.(view);
    return (row) => (belongs?.(row) ?? true) && tests.every((passes) => passes(row));
  };
  /** What a scope and a view select. `compares`: with the other moment, if the page shows one. */
  const resolve = (addressed: Scope, view: ListView, compares = false) => {
    const scope = lists ? EVERYWHERE : addressed;
    const holder = holderOf(view);
    const rows = narrowed(scope, holder, view);
    const words = inForce(view).flatMap(({ filter, value }) => filter.describe?.(value) ?? []);
    const uids = options.leftOut?.() ?? NONE;
    const compared = compares && thePast()?.comparing(resource.list);
    const listOf = (more: object) =>
      infinite<T, ListQuery>(
        resource.list,
        { ...rows, ...more, ...compared },
        { skip: anchorOf(Number(view.at ?? 0)) },
      );
    const order_by = view.order ?? defaultOrder;
    return {
      /** The scope, unless the list has none. */
      scope,
      /** uid of the record that the list belongs to, instead of a group. */
      holder,
      list: listOf({ order_by }),
      /** The same list in the largest pages, to read it to its end. */
      whole: listOf({ page_size: PAGE_SIZE_MAX, order_by: scan.by ?? order_by }),
      /** Row test for the filters that the service lacks; undefined if it supports all of them. */
      matches: matcher(view),
      /** The active filters, in words. */
      words,
      /** Key of the set of rows, whatever their order. */
      key: JSON.stringify([rows, words]),
      /** The rows that the screen leaves out and the service counts: a list of at most as many as are named. */
      leftOut: {
        uids,
        list: infinite<T, ListQuery>(resource.list, { ...rows, "uidp.ids": [...uids], page_size: uids.size }),
      },
    };
  };
  const record = (uid: string) => {
    if (!resource.get) throw new Error(`There is no way to get one of the ${resource.plural}`);
    return one(resource.get, { uid });
  };

  const screens = {
    resource,
    filters,
    /** The change that clears all filters. */
    noFilters: Object.fromEntries(
      named.flatMap(([name, filter]) => (filter.describe ? [[name, undefined]] : [])),
    ),
    defaultOrder,
    scanStep: scan.step,
    drawers: undefined as OnDemand<DrawersProps<T>> | undefined,
    deletion: { label: "Delete", ...deletion },
    locked: (row: T): string | undefined => options.locked?.(row),
    nameOf: (row: T): string => options.nameOf?.(row) ?? (row.name || shorten(row.uid)),
    readList,
    /** The same for the page of one record. */
    readPage: (address: Address): PageView => readDrawer(address, [...changing, ...(drawers.page ?? [])]),
    resolve,
    record,
    search: {
      /** What the search field searches: the label of its widest filter; undefined if the list has no such field. */
      label: searching.at(-1)?.[1].label,
      /** Search parameter of the filter that the search field shows. */
      shownIn: (view: ListView): string | undefined =>
        searching.find(([name]) => view[name] !== undefined)?.[0],
      /**
       * Returns the address change for a text in the search field: sets the first filter after the one named `after`
       * that takes the text; undefined if there is none.
       */
      change(text: string | undefined, after?: string): Record<string, string | undefined> | undefined {
        const change: Record<string, string | undefined> = {};
        for (const [name] of searching) change[name] = undefined;
        if (text === undefined) return change;
        const behind = searching.findIndex(([name]) => name === after) + 1;
        const [name, filter] = searching.slice(behind).find(([, { searches }]) => searches?.(text)) ?? [];
        return name === undefined ? undefined : { ...change, [name]: filter?.parse(text) };
      },
    },
    /** Requests the list of an address while the screen's code is still loading. */
    startList(client: QueryClient, address: Address): void {
      const { list, matches, leftOut } = resolve(scopeOf(readScopeSearch(address)), readList(address), true);
      // A scan starts by itself once its code is loaded.
      if (matches) return void loadListExtras().catch(() => undefined);
      void client.prefetchInfiniteQuery(list);
      if (leftOut.uids.size > 0) void client.prefetchInfiniteQuery(leftOut.list);
    },
    /** The same for the page of one record. */
    startRecord: (client: QueryClient, uid: string): void => void client.prefetchQuery(record(uid)),
    listPath: path,
    link: (uid: string): LinkTarget => ({ to: `${path}/$uid`, params: { uid: uidToParam(uid) } }),
  };
  const { form } = drawers;
  const load = form
    ? async () => (await import("./form/drawers")).drawersOf(screens, await form())
    : drawers.load;
  screens.drawers = load && onDemand(load);
  return screens;
}

export type Screens<T extends Item, I = unknown> = ReturnType<typeof defineScreens<T, I>>;
