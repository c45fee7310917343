import { isWithin, rootOf, topmost, type Order } from "platform-contract/aip";
import { AUDIT_ACCESS } from "platform-contract/audit/entries";
import { COMPARE_TIME, READ_TIME } from "platform-contract/endpoint";
import type { ListedDifference } from "platform-contract/resource";

import { failedPrecondition, invalidArgument, permissionDenied, type Failure } from "../../status";
import { isRootLevel, requireAll, visibleToAll, type Caller } from "../access/caller";
import { now } from "../store/clock";
import type { Row } from "../store/database";
import { listPage, type ListResult } from "../store/lists/lists";
import { listedQuery } from "../store/lists/page-tokens";
import {
  hasRow,
  horizonsOf,
  pastAt,
  recordAt,
  tablesAt,
  tablesAtEither,
  type Past,
  type PastTables,
} from "../store/past";
import { readItem, type Item } from "../store/table";
import { notFoundError } from "./resource-info";
import type { Context, Rules } from "./rules";

function timeOf(query: Row, field: string): Date | undefined {
  const text = query[field];
  if (typeof text !== "string") return undefined;
  const time = new Date(text);
  if (time > now()) throw invalidArgument([{ field, description: "must not be in the future" }]);
  return time;
}

/** The time that a read asks about; undefined if it asks about now. Throws INVALID_ARGUMENT for the future. */
export function readTimeOf(query: Row): Date | undefined {
  const time = timeOf(query, READ_TIME);
  if (!time && query[COMPARE_TIME] !== undefined)
    throw invalidArgument([{ field: COMPARE_TIME, description: `can only be set beside ${READ_TIME}` }]);
  return time;
}

/** What was deleted is history: it is for those who may read the audit log, and may list the kind there. */
const needsOf = <I>({ resource }: Rules<I>): readonly [string, string] => [
  resource.list.access.needs[0] ?? "",
  AUDIT_ACCESS,
];

/** Of which organizations the log tells what was there at some times, and of which it doesn't. */
interface Reach {
  readonly known: readonly string[];
  readonly unknown: readonly string[];
  /** That of the organization of which something is known first. */
  readonly failure: Failure;
}

/** Throws FAILED_PRECONDITION if the log tells of none of them what was there then: an empty list would say nothing was. */
async function reachOf(
  { database }: Context,
  times: readonly Date[],
  organizations: readonly string[],
): Promise<Reach> {
  const horizons = await horizonsOf(database, organizations.length > 0 ? organizations : [""]);
  const isKnown = (since: Date) => times.every((time) => time >= since);
  const unknown = [...horizons].filter(([, since]) => !isKnown(since));
  const known = organizations.filter((uid) => unknown.every(([other]) => other !== uid));
  const [first] = unknown.toSorted(([, one], [, other]) => one.getTime() - other.getTime());
  const knownSince = (first?.[1] ?? now()).toISOString();
  const violation = {
    type: "READ_TIME_UNKNOWN",
    description: `the log tells what was there since ${knownSince}, not before`,
    subject: first?.[0] || READ_TIME,
  };
  const failure = failedPrecondition([violation], { knownSince });
  if (known.length === 0 && first) throw failure;
  return { known, unknown: unknown.map(([uid]) => uid), failure };
}

/**
 * The groups of a list as of a time. Throws PERMISSION_DENIED if there are none at what the query names: an empty list
 * would say that nothing was there.
 */
function groupsAt(caller: Caller, needs: readonly string[], query: Row): readonly string[] {
  const { "uidp.descendants_of": below, "uidp.children_of": parent } = listedQuery(query);
  const scopes = [below, parent].filter((scope) => scope !== undefined);
  const groups = visibleToAll(caller, needs, query);
  const reached = scopes.reduce(
    (some, scope) =>
      topmost(
        some.flatMap((group) => (isWithin(scope, group) ? [scope] : isWithin(group, scope) ? [group] : [])),
      ),
    [...groups],
  );
  if (reached.length > 0) return groups;
  const [scope = ""] = scopes;
  const lacks = (capability: string) =>
    visibleToAll(caller, [capability], query).every(
      (group) => scope !== "" && !isWithin(scope, group) && !isWithin(group, scope),
    );
  const missing = needs.filter(lacks);
  throw permissionDenied(missing.length > 0 ? missing : needs, scope);
}

/** The time that a list is compared with; undefined if with none. Throws INVALID_ARGUMENT for the future. */
const compareTimeOf = (query: Row): Date | undefined => timeOf(query, COMPARE_TIME);

interface ListedAt extends ListResult {
  readonly differences?: readonly ListedDifference[];
  readonly unknownOrganizations?: readonly string[];
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The fields in which two states of a record differ, apart from when it was written. */
const differing = (one: Item, other: Item): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (field) => field !== "updateTime" && !same(one[field], other[field]),
  );

/**
 * A page of a list as it was: the same filters, order and pages, of what the caller may list and read the log of.
 * Compared with another time, also what was there only then, and how the rows of the page differ.
 */
export async function listAt<I>(
  context: Context,
  rules: Rules<I>,
  time: Date,
  {
    caller,
    query,
    order,
    finish,
  }: {
    readonly caller: Caller;
    readonly query: Row;
    readonly order: Order;
    readonly finish: (item: Item) => Item;
  },
): Promise<ListedAt> {
  const { database, tokens } = context;
  const { collection } = rules.resource;
  const compareTime = compareTimeOf(query);
  if (order.field === "last_seen_time")
    throw invalidArgument([{ field: "order_by", description: `is not known as of a time: ${order.field}` }]);
  const reached = groupsAt(caller, needsOf(rules), query);
  const { "uidp.descendants_of": below, "uidp.children_of": parent } = listedQuery(query);
  const scope = parent ?? below;
  const times = compareTime ? [time, compareTime] : [time];
  const { known: organizations, unknown } = await reachOf(context, times, [
    ...new Set(scope === undefined ? reached.map(rootOf) : [rootOf(scope)]),
  ]);
  const groups = reached.filter((group) => organizations.includes(rootOf(group)));
  const told = unknown.length > 0 ? { unknownOrganizations: unknown } : {};
  // A token is of these times: of others it is refused, as that of another list.
  const compared = compareTime ? ` compared with ${compareTime.toISOString()}` : "";
  const list = `${collection}.list at ${time.toISOString()}${compared}`;
  const pageOf = ({ tableOf, rowsOf }: PastTables, asked: Row): Promise<ListResult> => {
    const rootLevel = rules.rootLevelAt
      ? rules.rootLevelAt(groups, rowsOf)
      : rules.rootLevel?.(caller, groups, asked);
    const visibility = { groups, rootLevel };
    const table = tableOf(rules.tableAt ?? rules.table);
    return listPage(database, table, tokens, {
      list,
      caller: caller.key,
      query: asked,
      order,
      visibility,
      finish,
    });
  };
  const past = await pastAt(database, time);
  if (!compareTime) return { ...(await pageOf(tablesAt(past, organizations), query)), ...told };
  const other = await pastAt(database, compareTime);
  const page = await pageOf(tablesAtEither(past, other, organizations), query);
  if (page.items.length === 0) return { ...page, ...told };
  // Whether the list had a row at a time also depends on other records: a person was in it by a role binding.
  const ids = page.items.map(({ uid }) => uid);
  const { filters, listFilters } = rules.table;
  // One that only passes the filters no more is still there.
  const isFilter = (name: string) => name in filters || name in (listFilters ?? {});
  const these = {
    ...Object.fromEntries(Object.entries(query).filter(([name]) => !isFilter(name))),
    "uidp.ids": ids,
    page_size: ids.length,
    page_token: undefined,
    skip: undefined,
  };
  const itemsAt = async (one: Past) => {
    const { items } = await pageOf(tablesAt(one, organizations), these);
    return new Map(items.map((item) => [item["uid"], item]));
  };
  const [read, compare] = [await itemsAt(past), await itemsAt(other)];
  const items = page.items.map((item) => read.get(item["uid"]) ?? compare.get(item["uid"]) ?? item);
  const appeared = time < compareTime ? compare : read;
  const differences = ids.flatMap((id): ListedDifference[] => {
    const uid = String(id);
    const [one, two] = [read.get(uid), compare.get(uid)];
    if (!one || !two)
      return [{ uid, change: appeared.has(uid) ? "RECORD_CHANGE_CREATED" : "RECORD_CHANGE_DELETED" }];
    const fields = differing(one, two);
    return fields.length > 0 ? [{ uid, change: "RECORD_CHANGE_UPDATED", fields }] : [];
  });
  return { ...page, items, ...told, ...(differences.length > 0 && { differences }) };
}

/** A record as it was. Throws NOT_FOUND if it was not there, or PERMISSION_DENIED. */
export async function getAt<I>(
  context: Context,
  rules: Rules<I>,
  time: Date,
  { caller, uid }: { readonly caller: Caller; readonly uid: string },
): Promise<Item> {
  const { database } = context;
  const needs = needsOf(rules);
  // A person or a built-in role is in no group.
  const isOutside = isRootLevel(uid) && rules.resource.collection !== "groups";
  const reached = isOutside ? groupsAt(caller, needs, { "uidp.ids": [uid] }) : [];
  if (!isOutside) requireAll(caller, needs, uid);
  const {
    known: organizations,
    unknown,
    failure,
  } = await reachOf(context, [time], isOutside ? [...new Set(reached.map(rootOf))] : [rootOf(uid)]);
  const groups = reached.filter((group) => organizations.includes(rootOf(group)));
  const past = await pastAt(database, time);
  const table = recordAt(rules.tableAt ?? rules.table, past, uid);
  if (isOutside && rules.rootLevelAt) {
    const seen = rules.rootLevelAt(groups, tablesAt(past, organizations).rowsOf);
    // Perhaps they were seen by what is unknown.
    if (!seen || !(await hasRow(database, table, seen)))
      throw unknown.length > 0 ? failure : permissionDenied([needs[0]], uid);
  }
  const item = await readItem(database, table, uid);
  if (!item) throw notFoundError(context, rules.resource, uid);
  return item;
}
