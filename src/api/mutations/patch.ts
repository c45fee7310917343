import type { Query, QueryClient } from "@tanstack/react-query";

import { isBelow, parentOf } from "~/contract/aip";
import type { ListQuery } from "~/contract/resource";

import { noteWrite, refresh } from "../queries/lists";
import type { Pages } from "../paging/pages";

interface Item {
  readonly uid: string;
}

/** What a query of a collection holds: its pages, one record, a scan of it (`scan.ts`), or something else. */
const kindOf = ({ queryKey }: Query): "list" | "get" | "page" | "scan" | "other" => {
  if (queryKey[1] === "get" || queryKey[1] === "scan") return queryKey[1];
  if (queryKey[1] !== "list") return "other";
  return queryKey.length === 3 ? "list" : "page";
};

const queriesOf = (client: QueryClient, collection: string): Query[] =>
  client.getQueryCache().findAll({ queryKey: [collection] });

/** Changes every cached list of a collection; a list whose data comes back as it was tells nobody. */
function patchLists(
  client: QueryClient,
  collection: string,
  patch: (data: Pages<Item>) => Pages<Item>,
): void {
  noteWrite(client, collection);
  for (const query of queriesOf(client, collection)) {
    const data = query.state.data as Pages<Item> | undefined;
    if (kindOf(query) !== "list" || !data) continue;
    const next = patch(data);
    if (next === data) continue;
    // A page on its way would bring the old rows back with it; the list asks for it again.
    void query.cancel({ revert: true });
    // Only the rows change: neither the time of reading nor whether the list is stale.
    query.setState({ data: next });
  }
}

/** A scan as far as writes go: it knows itself whether a record belongs to what it found. */
interface Patchable {
  put(record: Item): void;
  drop(uids: readonly string[]): void;
}

/** The scans of a collection, those only whose scope has room for `uid` where that is given. */
function scansOf(client: QueryClient, collection: string, uid?: string): Patchable[] {
  const scans = queriesOf(client, collection).filter(
    (query) =>
      kindOf(query) === "scan" && (uid === undefined || mayHold(Object(query.queryKey[2]) as ListQuery, uid)),
  );
  return scans.flatMap(({ state }) => (state.data ? [state.data as Patchable] : []));
}

/** Puts a record as the service now has it into every list that shows it, and into its own query. */
export function upsert(client: QueryClient, collection: string, record: Item): void {
  for (const scan of scansOf(client, collection, record.uid)) scan.put(record);
  patchLists(client, collection, (data) => {
    if (!data.pages.some(({ items }) => items.some(({ uid }) => uid === record.uid))) return data;
    const pages = data.pages.map((page) => ({
      ...page,
      items: page.items.map((item) => (item.uid === record.uid ? record : item)),
    }));
    return { ...data, pages };
  });
  const queryKey = [collection, "get", record.uid];
  void client.cancelQueries({ queryKey, exact: true });
  client.setQueryData(queryKey, record);
}

/** A count without some of what it counted; none where it would be less than nothing. */
function less(count: string | undefined, by: number): { totalCount?: string } {
  if (count === undefined || !/^\d+$/.test(count) || BigInt(count) < BigInt(by)) return {};
  return { totalCount: String(BigInt(count) - BigInt(by)) };
}

/** Takes a deleted record out of every list that shows it, and out of its count. */
export const remove = (client: QueryClient, collection: string, uid: string): void =>
  removeAll(client, collection, [uid]);

/** The same for many, each list patched once. */
export function removeAll(client: QueryClient, collection: string, uids: readonly string[]): void {
  for (const scan of scansOf(client, collection)) scan.drop(uids);
  const gone = new Set(uids);
  patchLists(client, collection, (data) => {
    const held = data.pages.flatMap(({ items }) => items).filter(({ uid }) => gone.has(uid)).length;
    if (held === 0) return data;
    const pages = data.pages.map((page) => ({
      ...page,
      ...less(page.totalCount, held),
      items: page.items.filter(({ uid }) => !gone.has(uid)),
    }));
    return { ...data, pages };
  });
  for (const uid of uids) {
    // A screen that still shows it keeps what it has until it is left, instead of asking for what is gone.
    client.removeQueries({ queryKey: [collection, "get", uid], type: "inactive" });
    void client.invalidateQueries({ queryKey: [collection, "get", uid], refetchType: "none" });
  }
}

/** Whether a record with this uid may be in a list, as far as the list's scope tells (contract 0.4). */
export function mayHold(query: ListQuery, uid: string): boolean {
  const children = query["uidp.children_of"];
  const descendants = query["uidp.descendants_of"];
  const ancestors = query["uidp.ancestors_of"];
  return (
    (children === undefined || parentOf(uid) === children) &&
    (descendants === undefined || isBelow(uid, descendants)) &&
    (ancestors === undefined || isBelow(ancestors, uid)) &&
    (query["uidp.in_root"] !== true || parentOf(uid) === "") &&
    (query["uidp.ids"]?.includes(uid) ?? true)
  );
}

/**
 * The lists of a collection may hold something new, and nobody can tell where. Those on screen read one page anew, at
 * the place where the person is; the others do so when they are shown next. With `created`, only the lists whose scope
 * has room for that uid.
 */
export function refreshLists(client: QueryClient, collection: string, created?: string): void {
  for (const query of queriesOf(client, collection)) {
    if (kindOf(query) !== "list") continue;
    if (created !== undefined && !mayHold(Object(query.queryKey[2]) as ListQuery, created)) continue;
    // First marked, so that a refresh that fails leaves the list marked rather than wrong for good.
    query.invalidate();
    const { queryFn } = query.options;
    if (!query.isActive() || !queryFn) continue;
    const { queryKey } = query;
    void refresh(client, { queryKey, queryFn });
  }
}

/** What is derived of a collection beside its lists and records: counts, and who may do what. */
export const refreshDerived = (client: QueryClient, collection: string): Promise<void> =>
  client.invalidateQueries({ queryKey: [collection], predicate: (query) => kindOf(query) === "other" });

/**
 * Collections whose answers repeat something of a changed one are stale: what is on screen is read again (a list: one
 * page of it), what is not when it is shown next.
 */
export function invalidateDependents(client: QueryClient, collections: readonly string[]): void {
  for (const collection of collections) {
    refreshLists(client, collection);
    void client.invalidateQueries({ queryKey: [collection], predicate: (query) => kindOf(query) !== "list" });
  }
}
