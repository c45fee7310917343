import { parentOf, parseOrder, type Order } from "~/contract/aip";
import type { Access, Schema } from "~/contract/endpoint";
import type { Facts } from "~/contract/resource";
import type { FieldViolation } from "~/contract/status";
import { definitionOf, required, shapeOf } from "~/contract/schema";

import { visibleGroups, type Caller } from "../access/caller";
import type { Config } from "../config";
import { invalidArgument, notFound } from "../status";
import type { Database, Queries, Row } from "../store/database";
import type { Visibility } from "../store/list-parts";
import { listPage } from "../store/lists";
import type { PageTokens } from "../store/page-tokens";
import { deleteRow, holdRow, insertRow, lockItem, readItem, updateRow, type Table } from "../store/table";
import { newChildUid } from "../store/uids";
import type { Handler } from "./call";
import { write } from "./conflicts";
import { applyMask, readMask, type Masked } from "./masks";
import { withoutUnset, type Fields } from "./values";
import { isNamed, oncePerField, violationsOf } from "./violations";

export interface Context {
  readonly config: Config;
  readonly database: Database;
  readonly tokens: PageTokens;
}

/** A record that is about to be created or changed. */
export interface Draft {
  readonly queries: Queries;
  readonly caller: Caller;
  readonly uid: string;
  readonly parent: string;
  /** What it would be, not judged yet. */
  readonly fields: Fields;
  /** What it was, in its wire form; undefined when it is created. */
  readonly previous: Fields | undefined;
}

/** The same, judged by the contract and by the resource's own rules. */
export interface Change<I> extends Draft {
  readonly next: I;
}

export interface Removal {
  readonly queries: Queries;
  readonly caller: Caller;
  readonly uid: string;
  readonly previous: Fields;
}

/** What one resource adds to the five standard methods: the rules that the contract cannot say. */
export interface Rules<I> {
  readonly resource: Facts<unknown, I> & { readonly list: { readonly access: Access } };
  readonly table: Table;
  /** What a record is created under; a group when left out. */
  readonly parent?: {
    readonly table: string;
    readonly resource: Pick<Facts<unknown, unknown>, "area" | "type">;
  };
  /** Rows at root level that a caller may see; none when left out. */
  readonly rootLevel?: (caller: Caller, groups: readonly string[]) => Visibility["rootLevel"];
  /** Who may read a record, where the path alone cannot decide it. Throws a Failure. */
  readonly beforeGet?: (context: Context, caller: Caller, uid: string) => Promise<void> | void;
  /** Findings beyond the contract's, reported together with them; the fields may be of any type here. */
  readonly violations?: (context: Context, draft: Draft) => Promise<FieldViolation[]> | FieldViolation[];
  /** Whether the caller may make this change, beyond what the path decides: nobody grants what they lack. Throws. */
  readonly beforeWrite?: (context: Context, change: Change<I>) => Promise<void>;
  readonly columns: (next: I, draft: Draft) => Row;
  /** What has to be written once the row is there. */
  readonly afterWrite?: (context: Context, change: Change<I>) => Promise<void>;
  /** Refuses, or removes what goes with the record. Throws a Failure. */
  readonly beforeDelete?: (context: Context, removal: Removal) => Promise<void>;
}

const GROUP = { area: "iam", type: "Group" };

type Shape = Readonly<Record<string, Schema>>;

/** The NOT_FOUND of a resource (contract B3). */
export const missing = (
  context: Context,
  { area, type }: Pick<Facts<unknown, unknown>, "area" | "type">,
  uid: string,
) => notFound(`${area}.${context.config.serviceDomain}/${type}`, uid);

/** A message without its unset fields, as answers are written and requests are read; the values of maps stay. */
export function message({ settable }: Pick<Facts<unknown, unknown>, "settable">, fields: Fields): Fields {
  // Keys are a caller's, and may be called like what every object has.
  const fieldOf = (shape: Shape = {}, key: string) => (Object.hasOwn(shape, key) ? shape[key] : undefined);
  const isMap = (path: string) => {
    const [key = "", inner] = path.split(".");
    const outer = fieldOf(settable, key);
    const schema = outer && inner !== undefined ? fieldOf(shapeOf(outer), inner) : outer;
    return schema !== undefined && definitionOf(required(schema)).type === "record";
  };
  return withoutUnset(fields, isMap);
}

/** The contract's schema has refused every other text. */
const orderOf = (text: unknown, sortable: readonly string[]): Order =>
  parseOrder(String(text ?? ""), sortable) ?? { field: "uid", descending: false };

/** Bytes of a whole record as JSON: two hundred of them are one page of a list. */
const RECORD_BYTES = 256_000;

/** Throws INVALID_ARGUMENT on the largest field of a record that is too large, however many requests it took. */
function checkSize(record: unknown): void {
  const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? "");
  if (bytes(record) <= RECORD_BYTES) return;
  const fields = Object.entries(record as Fields).toSorted(([, a], [, b]) => bytes(b) - bytes(a));
  const description = `the whole record must be at most ${RECORD_BYTES} bytes long, and this is most of it`;
  throw invalidArgument([{ field: fields[0]?.[0] ?? "", description }]);
}

/** What the contract and the resource's own rules find wrong with a draft; the contract's finding on a field first. */
async function violationsIn<I>(context: Context, rules: Rules<I>, draft: Draft): Promise<FieldViolation[]> {
  const own = (await rules.violations?.(context, draft)) ?? [];
  return oncePerField([...violationsOf(rules.resource.request, draft.fields), ...own]);
}

/**
 * Of these violations those that an update is to blame for: on fields that it names, or not there before it. A stored
 * value that an older rule let in blocks no change of something else.
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
  const stood = ({ field, description }: FieldViolation) =>
    before.some((one) => one.field === field && one.description === description);
  return violations.filter((violation) => named(violation) || !stood(violation));
}

/** A draft that changes a record. */
interface Update {
  readonly draft: Draft;
  /** What a caller may set of it, as it is stored. */
  readonly current: Fields;
  readonly masked: Masked;
}

/** Judges a draft; answers the columns to write. */
async function accept<I>(
  context: Context,
  rules: Rules<I>,
  draft: Draft,
  update?: Update,
): Promise<{ change: Change<I>; columns: Row }> {
  const found = await violationsIn(context, rules, draft);
  const blamed = update
    ? [...update.masked.violations, ...(await causedBy(context, rules, update, found))]
    : found;
  if (blamed.length > 0) throw invalidArgument(oncePerField(blamed));
  const result = rules.resource.request.safeParse(draft.fields);
  // What was left in from before is of the right types, if not of the right values.
  const next = result.success ? result.data : (draft.fields as I);
  checkSize(next);
  const change = { ...draft, next };
  await rules.beforeWrite?.(context, change);
  return { change, columns: rules.columns(next, draft) };
}

/** Creates a record within a transaction: what every create comes to. `parent` is "" at root level. */
export async function createRecord<I>(context: Context, rules: Rules<I>, draft: Draft): Promise<Fields> {
  const { table } = rules;
  const { queries, uid, parent } = draft;
  const { change, columns } = await accept(context, rules, draft);
  await insertRow(queries, table.name, { uid, parent: parent === "" ? null : parent, ...columns });
  await rules.afterWrite?.(context, change);
  return message(rules.resource, (await readItem(queries, table, uid)) ?? {});
}

/** list, get, create, update and delete of one resource (AIP-131 to AIP-135), by endpoint id. */
export function standardHandlers<I>(context: Context, rules: Rules<I>): Map<string, Handler> {
  const { database, tokens } = context;
  const { resource, table, rootLevel } = rules;
  const { collection } = resource;

  const list: Handler = async ({ caller, query }) => {
    const groups = visibleGroups(caller, resource.list.access.needs[0] ?? "");
    const { items, ...rest } = await listPage(database, table, tokens, {
      list: `${collection}.list`,
      caller: caller.key,
      query,
      order: orderOf(query["order_by"], resource.sortable),
      visibility: { groups, rootLevel: rootLevel?.(caller, groups) },
    });
    return { [collection]: items.map((item) => message(resource, item)), ...rest };
  };

  const get: Handler = async ({ caller, path: { uid } }) => {
    await rules.beforeGet?.(context, caller, uid);
    const item = await readItem(database, table, uid);
    if (!item) throw missing(context, resource, uid);
    return message(resource, item);
  };

  const create: Handler = (call) =>
    write(database, call, async (queries) => {
      const { caller, path, body } = call;
      const { parent } = path;
      const above = rules.parent ?? { table: "groups", resource: GROUP };
      if (!(await holdRow(queries, above.table, parent))) throw missing(context, above.resource, parent);
      const fields = message(resource, body);
      const uid = newChildUid(parent);
      return createRecord(context, rules, { queries, caller, uid, parent, fields, previous: undefined });
    });

  const update: Handler = (call) =>
    write(database, call, async (queries) => {
      const { caller, path, query, body } = call;
      const { uid } = path;
      const stored = await lockItem(queries, table, uid);
      if (!stored) throw missing(context, resource, uid);
      const previous = message(resource, stored);
      const current = Object.fromEntries(
        Object.entries(previous).filter(([key]) => key in resource.settable),
      );
      const masked = readMask(resource, body, query["updateMask"] as string | undefined);
      const fields = message(resource, applyMask(resource, current, body, masked));
      const draft = { queries, caller, uid, parent: parentOf(uid), fields, previous };
      const { change, columns } = await accept(context, rules, draft, { draft, current, masked });
      await updateRow(queries, table.name, uid, columns);
      await rules.afterWrite?.(context, change);
      return message(resource, (await readItem(queries, table, uid)) ?? {});
    });

  const remove: Handler = (call) =>
    write(database, call, async (queries) => {
      const { caller, path } = call;
      const { uid } = path;
      const previous = await lockItem(queries, table, uid);
      if (!previous) throw missing(context, resource, uid);
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
