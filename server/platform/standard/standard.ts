import { isDeepStrictEqual } from "node:util";

import { parentOf, parseOrder, topmost, type Order } from "platform-contract/aip";
import { omitPaths, unanswered } from "platform-contract/behavior";
import type { Schema } from "platform-contract/endpoint";
import { kindOf, KINDS } from "platform-contract/kinds";
import type { Facts } from "platform-contract/resource";
import { definitionOf, required, shapeOf } from "platform-contract/schema";
import type { FieldViolation } from "platform-contract/status";
import { oncePerField, violationsOf } from "platform-contract/violations";

import { visibleGroups } from "../access/caller";
import { listPage } from "../store/lists/lists";
import { deleteRow, lockShared, insertRow, lockItem, readItem, touchRow, updateRow } from "../store/table";
import { newChildUid } from "../store/uids";
import type { Handler } from "./call";
import { tableOf } from "./children.table";
import { write } from "./conflicts";
import { onlyOne } from "./duplicates";
import { applyMask, fixedViolations, readMask, type Masked } from "./masks";
import { notFoundError } from "./resource-info";
import { getAt, listAt, readTimeOf } from "./read-time";
import type { Context, Draft, Rules, Change } from "./rules";
import { withoutUnset, type Fields } from "./values";
import { invalidArgument } from "../../status";
import type { Row } from "../store/database";
import { isNamed } from "./violations";

/** Maximum bytes of a whole record as JSON: a list page can have two hundred. */
const RECORD_BYTES = 256_000;

/** Throws INVALID_ARGUMENT on the largest field if a record is too large, even if it grew over several requests. */
function checkSize(record: unknown): void {
  const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? "");
  if (bytes(record) <= RECORD_BYTES) return;
  const fields = Object.entries(Object(record)).toSorted(([, a], [, b]) => bytes(b) - bytes(a));
  const description = `the whole record must be at most ${RECORD_BYTES} bytes long, and this is most of it`;
  throw invalidArgument([{ field: fields[0]?.[0] ?? "", description }]);
}

/** Returns what the contract and the resource's own rules find wrong with a draft, the contract's violations first. */
async function violationsIn<I>(context: Context, rules: Rules<I>, draft: Draft): Promise<FieldViolation[]> {
  const own = (await rules.violations?.(context, draft)) ?? [];
  return oncePerField([...violationsOf(rules.resource.request, draft.fields), ...own]);
}

/**
 * Filters violations to those that an update causes: on fields that it names, or that the record did not have before. A
 * stored value from before a stricter rule does not block other changes.
 */
async function causedBy<I>(
  context: Context,
  rules: Rules<I>,
  { draft, current, masked }: Update,
  violations: readonly FieldViolation[],
): Promise<FieldViolation[]> {
  const named = isNamed(masked);
  if (violations.every(named)) return [...violations];
  const before = await violationsIn(context, rules, { ...draft, fields: current });
  const wasPresent = ({ field, description }: FieldViolation) =>
    before.some((one) => one.field === field && one.description === description);
  return violations.filter((violation) => named(violation) || !wasPresent(violation));
}

/** A draft that updates a record. */
interface Update {
  readonly draft: Draft;
  /** The stored values of its settable fields. */
  readonly current: Fields;
  readonly masked: Masked;
}

/** Validates a draft; returns the change and the columns to write. */
async function accept<I>(
  context: Context,
  rules: Rules<I>,
  draft: Draft,
  update?: Update,
): Promise<{ change: Change<I>; columns: Row }> {
  const found = await violationsIn(context, rules, draft);
  const violations = update
    ? [...update.masked.violations, ...(await causedBy(context, rules, update, found))]
    : found;
  if (violations.length > 0) throw invalidArgument(oncePerField(violations));
  const result = rules.resource.request.safeParse(draft.fields);
  // Stored values can break a newer rule, but their types are right.
  const next = result.success ? result.data : (draft.fields as I);
  checkSize(next);
  const change = { ...draft, next };
  await rules.beforeWrite?.(context, change);
  return { change, columns: rules.table.toRow(next, draft) };
}

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
    const order = orderOf(query["order_by"], resource.sortable);
    const finish = (item: Fields) => toAnswer(resource, item);
    const time = readTimeOf(query);
    if (time) {
      const { items, ...rest } = await listAt(context, rules, time, { caller, query, order, finish });
      return { [collection]: items, ...rest };
    }
    const held = visibleGroups(caller, resource.list.access.needs[0] ?? "", query);
    const groups = own ? topmost([...held, ...own(caller, query)]) : held;
    const { items, ...rest } = await listPage(database, table, tokens, {
      list: `${collection}.list`,
      caller: caller.key,
      query,
      order,
      visibility: { groups, rootLevel: rootLevel?.(caller, held, query) },
      finish,
    });
    return { [collection]: items, ...rest };
  };

  const get: Handler = async ({ caller, path: { uid }, query }) => {
    const time = readTimeOf(query);
    if (time) return toAnswer(resource, await getAt(context, rules, time, { caller, uid }));
    await rules.beforeGet?.(context, caller, uid);
    const item = await readItem(database, table, uid);
    if (!item) throw notFoundError(context, resource, uid);
    return toAnswer(resource, item);
  };

  const create: Handler = (call) =>
    write(database, call, async (queries) => {
      const { caller, path, body, arrival } = call;
      const { parent } = path;
      if (!(await lockShared(queries, tableOf(above.collection), parent)))
        throw notFoundError(context, above, parent);
      const fields = toWire(resource, body);
      const reserved = await rules.reserved?.(context, queries, call);
      const uid = resource.keyedByParent ? parent : (reserved ?? newChildUid(parent));
      const draft = { queries, caller, uid, parent, fields, previous: undefined, arrival };
      return createRecord(context, rules, draft);
    });

  const update: Handler = (call) =>
    write(database, call, async (queries) => {
      const { caller, path, query, body, arrival } = call;
      const { uid } = path;
      const stored = await lockItem(queries, table, uid);
      if (!stored) throw notFoundError(context, resource, uid);
      const previous = toWire(resource, stored);
      const current = Object.fromEntries(
        Object.entries(previous).filter(([key]) => key in resource.settable),
      );
      const mask = readMask(resource, body, query["updateMask"]);
      const fixed = fixedViolations(resource, current, body, mask);
      const masked = { ...mask, violations: [...mask.violations, ...fixed] };
      const fields = toWire(resource, applyMask(resource, current, body, masked));
      const parent = resource.keyedByParent ? uid : parentOf(uid);
      const draft = { queries, caller, uid, parent, fields, previous, arrival };
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
