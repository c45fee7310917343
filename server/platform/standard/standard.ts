import { isDeepStrictEqual } from "node:util";

import { parentOf, parseOrder, topmost, type Order } from "platform-contract/aip";
import { omitPaths, unanswered } from "platform-contract/behavior";
import type { Schema } from "platform-contract/endpoint";
import { kindOf, KINDS } from "platform-contract/kinds";
import type { Facts } from "platform-contract/resource";
import { definitionOf, required, shapeOf } from "platform-contract/schema";

import { visibleGroups } from "../access/caller";
import { listPage } from "../store/lists/lists";
import { deleteRow, lockShared, insertRow, lockItem, readItem, touchRow, updateRow } from "../store/table";
import { newChildUid } from "../store/uids";
import { accept } from "./accept";
import type { Handler } from "./call";
import { tableOf } from "./children";
import { write } from "./conflicts";
import { onlyOne } from "./duplicates";
import { applyMask, fixedViolations, readMask } from "./masks";
import { notFoundError } from "./resource-info";
import type { Context, Draft, Rules } from "./rules";
import { withoutUnset, type Fields } from "./values";

type Shape = Readonly<Record<string, Schema>>;

/** Omits unset fields, as in requests and responses; keeps the values of maps. */
export function toWire({ settable }: Pick<Facts<unknown, unknown>, "settable">, fields: Fields): Fields {
  // Keys come from callers, and can be those of Object.prototype.
  const fieldOf = (shape: Shape = {}, key: string) => (Object.hasOwn(shape, key) ? shape[key] : undefined);
  const isMap = (path: string) => {
    const [key = "", inner] = path.split(".");
    const outer = fieldOf(settable, key);
    const schema = outer && inner !== undefined ? fieldOf(shapeOf(outer), inner) : outer;
    return schema !== undefined && definitionOf(required(schema)).type === "record";
  };
  return withoutUnset(fields, isMap);
}

/** Converts a record to a response: omits input-only fields and those that only the response of a create has. */
export const toAnswer = (
  resource: Pick<Facts<unknown, unknown>, "settable" | "behavior">,
  item: Fields,
): Fields => omitPaths(toWire(resource, item), unanswered(resource.behavior));

/** The contract's schema has rejected all other values. */
const orderOf = (text: unknown, sortable: readonly string[]): Order =>
  parseOrder(String(text ?? ""), sortable) ?? { field: "uid", descending: false };

/** Creates a record within a transaction; shared by all creates. `parent` is "" at root level. */
export async function createRecord<I>(context: Context, rules: Rules<I>, draft: Draft): Promise<Fields> {
  const { table } = rules;
  const { queries, uid, parent } = draft;
  const { change, columns } = await accept(context, rules, draft);
  const row = { uid, parent: parent === "" ? null : parent, ...columns };
  await onlyOne(context, rules, row, () => insertRow(queries, table.name, row));
  await rules.afterWrite?.(context, change);
  return toAnswer(rules.resource, (await readItem(queries, table, uid)) ?? {});
}

/** list, get, create, update and delete of one resource (AIP-131 to AIP-135), by endpoint id. */
export function standardHandlers<I>(context: Context, rules: Rules<I>): Map<string, Handler> {
  const { database, tokens } = context;
  const { resource, table, rootLevel, own } = rules;
  const { collection } = resource;
  const above = kindOf(resource.parent) ?? KINDS.groups;

  const list: Handler = async ({ caller, query }) => {
    const held = visibleGroups(caller, resource.list.access.needs[0] ?? "", query);
    const groups = own ? topmost([...held, ...own(caller, query)]) : held;
    const { items, ...rest } = await listPage(database, table, tokens, {
      list: `${collection}.list`,
      caller: caller.key,
      query,
      order: orderOf(query["order_by"], resource.sortable),
      visibility: { groups, rootLevel: rootLevel?.(caller, held, query) },
    });
    return { [collection]: items.map((item) => toAnswer(resource, item)), ...rest };
  };

  const get: Handler = async ({ caller, path: { uid } }) => {
    await rules.beforeGet?.(context, caller, uid);
    const item = await readItem(database, table, uid);
    if (!item) throw notFoundError(context, resource, uid);
    return toAnswer(resource, item);
  };

  const create: Handler = (call) =>
    write(database, call, async (queries) => {
      const { caller, path, body } = call;
      const { parent } = path;
      if (!(await lockShared(queries, tableOf(above.collection), parent)))
        throw notFoundError(context, above, parent);
      const fields = toWire(resource, body);
      const uid = resource.keyedByParent ? parent : newChildUid(parent);
      return createRecord(context, rules, { queries, caller, uid, parent, fields, previous: undefined });
    });

  const update: Handler = (call) =>
    write(database, call, async (queries) => {
      const { caller, path, query, body } = call;
      const { uid } = path;
      const stored = await lockItem(queries, table, uid);
      if (!stored) throw notFoundError(context, resource, uid);
      const previous = toWire(resource, stored);
      const current = Object.fromEntries(
        Object.entries(previous).filter(([key]) => key in resource.settable),
      );
      const mask = readMask(resource, body, query["updateMask"] as string | undefined);
      const fixed = fixedViolations(resource, current, body, mask);
      const masked = { ...mask, violations: [...mask.violations, ...fixed] };
      const fields = toWire(resource, applyMask(resource, current, body, masked));
      const parent = resource.keyedByParent ? uid : parentOf(uid);
      const draft = { queries, caller, uid, parent, fields, previous };
      const { change, columns } = await accept(context, rules, draft, { draft, current, masked });
      const row = { parent: draft.parent, ...columns };
      await onlyOne(context, rules, row, () => updateRow(queries, table.name, uid, columns));
      await rules.afterWrite?.(context, change);
      const changed = toWire(resource, (await readItem(queries, table, uid)) ?? {});
      // An update without an effect keeps the updateTime.
      if (isDeepStrictEqual(changed, previous)) return toAnswer(resource, previous);
      return { ...toAnswer(resource, changed), updateTime: await touchRow(queries, table.name, uid) };
    });

  const remove: Handler = (call) =>
    write(database, call, async (queries) => {
      const { caller, path } = call;
      const { uid } = path;
      const previous = await lockItem(queries, table, uid);
      if (!previous) throw notFoundError(context, resource, uid);
      await rules.beforeDelete?.(context, { queries, caller, uid, previous });
      await deleteRow(queries, table.name, uid);
      return undefined;
    });

  return new Map(
    Object.entries({ list, get, create, update, delete: remove })
      .filter(([verb]) => verb in resource)
      .map(([verb, handler]) => [`${collection}.${verb}`, handler]),
  );
}
