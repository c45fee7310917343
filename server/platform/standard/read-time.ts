import { isWithin, rootOf, topmost, type Order } from "platform-contract/aip";
import { AUDIT_ACCESS } from "platform-contract/audit/entries";
import { READ_TIME } from "platform-contract/endpoint";

import { failedPrecondition, invalidArgument, permissionDenied } from "../../status";
import { isRootLevel, requireAll, visibleToAll, type Caller } from "../access/caller";
import { now } from "../store/clock";
import type { Row } from "../store/database";
import { listPage, type ListResult } from "../store/lists/lists";
import { listedQuery } from "../store/lists/page-tokens";
import { hasRow, horizonOf, pastAt, recordAt, rowsAt, tableAt } from "../store/past";
import { readItem, type Item } from "../store/table";
import { notFoundError } from "./resource-info";
import type { Context, Rules } from "./rules";

/** The time that a read asks about; undefined if it asks about now. Throws INVALID_ARGUMENT for the future. */
export function readTimeOf(query: Row): Date | undefined {
  const text = query[READ_TIME];
  if (typeof text !== "string") return undefined;
  const time = new Date(text);
  if (time > now()) throw invalidArgument([{ field: READ_TIME, description: "must not be in the future" }]);
  return time;
}

/** What was deleted is history: it is for those who may read the audit log, and may list the kind there. */
const needsOf = <I>({ resource }: Rules<I>): readonly [string, string] => [
  resource.list.access.needs[0] ?? "",
  AUDIT_ACCESS,
];

/** Throws FAILED_PRECONDITION if the log does not reach back to a time: what was there then is not known. */
async function requireKnown({ database }: Context, time: Date, uids: readonly string[]): Promise<void> {
  const { since, organization } = await horizonOf(database, uids);
  if (time >= since) return;
  const knownSince = since.toISOString();
  throw failedPrecondition(
    [
      {
        type: "READ_TIME_UNKNOWN",
        description: `the log tells what was there since ${knownSince}, not before`,
        subject: organization || READ_TIME,
      },
    ],
    { knownSince },
  );
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

/** A page of a list as it was: the same filters, order and pages, of what the caller may list and read the log of. */
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
): Promise<ListResult> {
  const { database, tokens } = context;
  const { collection } = rules.resource;
  if (order.field === "last_seen_time")
    throw invalidArgument([{ field: "order_by", description: `is not known as of a time: ${order.field}` }]);
  const groups = groupsAt(caller, needsOf(rules), query);
  const { "uidp.descendants_of": below, "uidp.children_of": parent } = listedQuery(query);
  const scope = parent ?? below;
  const organizations = [...new Set(scope === undefined ? groups.map(rootOf) : [rootOf(scope)])];
  await requireKnown(context, time, organizations);
  const past = await pastAt(database, time);
  const rowsOf = (table: string) => rowsAt(table, past, organizations);
  const rootLevel = rules.rootLevelAt
    ? rules.rootLevelAt(groups, rowsOf)
    : rules.rootLevel?.(caller, groups, query);
  return listPage(database, tableAt(rules.tableAt ?? rules.table, past, organizations), tokens, {
    // A token is of one time: of another one it is refused, as that of another list.
    list: `${collection}.list at ${time.toISOString()}`,
    caller: caller.key,
    query,
    order,
    visibility: { groups, rootLevel },
    finish,
  });
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
  const groups = isOutside ? groupsAt(caller, needs, { "uidp.ids": [uid] }) : [];
  if (!isOutside) requireAll(caller, needs, uid);
  const organizations = isOutside ? [...new Set(groups.map(rootOf))] : [rootOf(uid)];
  await requireKnown(context, time, organizations);
  const past = await pastAt(database, time);
  const table = recordAt(rules.tableAt ?? rules.table, past, uid);
  if (isOutside && rules.rootLevelAt) {
    const seen = rules.rootLevelAt(groups, (name) => rowsAt(name, past, organizations));
    if (!seen || !(await hasRow(database, table, seen))) throw permissionDenied([needs[0]], uid);
  }
  const item = await readItem(database, table, uid);
  if (!item) throw notFoundError(context, rules.resource, uid);
  return item;
}
