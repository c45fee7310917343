import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";

import { isBelow, parentOf } from "platform-contract/aip";
import { kindOf as kindOfCollection } from "platform-contract/kinds";
import type { ListQuery } from "platform-contract/resource";

import { noteWrite, refresh } from "../queries/lists";
import type { Pages } from "../paging/pages";

interface Item {
  readonly uid: string;
}

/** The kind of data that a query of a collection holds: pages, one record, a scan (`scan.ts`), or something else. */
const kindOf = ({ queryKey }: Query): "list" | "get" | "page" | "scan" | "other" => {
  if (queryKey[1] === "get" || queryKey[1] === "scan") return queryKey[1];
  if (queryKey[1] !== "list") return "other";
  return queryKey.length === 3 ? "list" : "page";
};

const queriesOf = (client: QueryClient, collection: string): Query[] =>
  client.getQueryCache().findAll({ queryKey: [collection] });

/** Changes every cached list of a collection; a list whose data stays the same notifies no one. */
function patchLists(
  client: QueryClient,
  collection: string,
  patch: (data: Pages<Item>) => Pages<Item>,
): void {
  noteWrite(client, collection);
  for (const query of queriesOf(client, collection)) {
    const data = client.getQueryData<Pages<Item>>(query.queryKey);
    if (kindOf(query) !== "list" || !data) continue;
    const next = patch(data);
    if (next === data) continue;
    // A page in flight would bring the old rows back; the list requests it again.
    void query.cancel({ revert: true });
    // Only the rows change: the list stays as old and as stale as it was.
    query.setState({ data: next });
  }
}

/** A scan decides itself whether a record belongs to its results. */
interface Patchable {
  put(record: Item, isNew: boolean): void;
  drop(uids: readonly string[]): void;
}

/** The scans of a collection; with `uid`, only those whose scope can contain it. */
function scansOf(client: QueryClient, collection: string, uid?: string): Patchable[] {
  const scans = queriesOf(client, collection).filter(
    (query) =>
      kindOf(query) === "scan" && (uid === undefined || mayHold(Object(query.queryKey[2]), uid, collection)),
  );
  return scans.flatMap(({ queryKey }) => client.getQueryData<Patchable>(queryKey) ?? []);
}

/** Puts a record, or a new version of one, into every list that contains it, and into its own query. */
export function upsert(client: QueryClient, collection: string, record: Item, isNew = false): void {
  for (const scan of scansOf(client, collection, record.uid)) scan.put(record, isNew);
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

/** Subtracts `by` from a count; omits a count that would be negative. */
function less(count: string | undefined, by: number): { totalCount?: string } {
  if (count === undefined || !/^\d+$/.test(count) || BigInt(count) < BigInt(by)) return {};
  return { totalCount: String(BigInt(count) - BigInt(by)) };
}

const deletedUids = new WeakMap<QueryClient, Set<string>>();

/** The uids of records that were deleted here. A uid is never used again. */
function deletedOf(client: QueryClient): Set<string> {
  const uids = deletedUids.get(client) ?? new Set();
  deletedUids.set(client, uids);
  return uids;
}

/** Removes a deleted record from every list that has it, and from its count. */
export const remove = (client: QueryClient, collection: string, uid: string): void =>
  removeAll(client, collection, [uid]);

/** The same for many records; each list is changed once. */
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
  const deleted = deletedOf(client);
  for (const uid of uids) {
    deleted.add(uid);
    // A screen that still shows it keeps its data until it is left, and does not refetch a deleted record.
    client.removeQueries({ queryKey: [collection, "get", uid], type: "inactive" });
    void client.invalidateQueries({ queryKey: [collection, "get", uid], refetchType: "none" });
  }
}

/** True if the scope of a list allows a record with this uid. */
export function mayHold(query: ListQuery, uid: string, collection: string): boolean {
  // A scope counts a record that has the uid of its group as being in that group.
  const at = kindOfCollection(collection)?.keyedByParent ? `${uid}/` : uid;
  const children = query["uidp.children_of"];
  const descendants = query["uidp.descendants_of"];
  const ancestors = query["uidp.ancestors_of"];
  return (
    (children === undefined || parentOf(at) === children) &&
    (descendants === undefined || isBelow(at, descendants)) &&
    (ancestors === undefined || isBelow(ancestors, uid)) &&
    (query["uidp.in_root"] !== true || parentOf(at) === "") &&
    (query["uidp.ids"]?.includes(uid) ?? true)
  );
}

/**
 * Called when lists of a collection may have a new row in an unknown position. Lists on screen refetch the page in
 * view, the others refetch when they are shown next. With `created`, only lists whose scope can contain that uid.
 */
export function refreshLists(client: QueryClient, collection: string, created?: string): void {
  for (const query of queriesOf(client, collection)) {
    if (kindOf(query) !== "list") continue;
    if (created !== undefined && !mayHold(Object(query.queryKey[2]), created, collection)) continue;
    // Before the refresh, so that the list stays stale if the refresh fails.
    query.invalidate();
    const { queryFn } = query.options;
    if (!query.isActive() || !queryFn) continue;
    const { queryKey } = query;
    void refresh(client, { queryKey, queryFn });
  }
}

/**
 * Invalidates other data derived from a collection, not its lists and records: counts, and permissions. Not what is
 * about one deleted record, which a screen shows until it is left.
 */
export function refreshDerived(client: QueryClient, collection: string): Promise<void> {
  const deleted = deletedOf(client);
  const isGone = ([, , uid]: QueryKey) => typeof uid === "string" && deleted.has(uid);
  return client.invalidateQueries({
    queryKey: [collection],
    predicate: (query) => kindOf(query) === "other" && !isGone(query.queryKey),
  });
}

/** The collection of the audit log, whose contract only its own screens load. */
const AUDIT_LOG = "auditEntries";

/**
 * Invalidates collections that repeat data of a changed one. Refetches what is on screen (one page of a list), the rest
 * when it is shown next.
 */
export function invalidateDependents(client: QueryClient, collections: readonly string[]): void {
  for (const collection of collections) {
    refreshLists(client, collection);
    void client.invalidateQueries({ queryKey: [collection], predicate: (query) => kindOf(query) !== "list" });
  }
  // Every write leaves an entry there.
  refreshLists(client, AUDIT_LOG);
}
