import { parentOf, rootOf } from "~/contract/aip";
import { EVENT_TYPES, type EventType } from "~/contract/events/event-types";

import { tableOf } from "../handlers/children";
import { isFields, type Fields } from "../handlers/values";

/** What a transaction has done to one record. */
export interface Change {
  readonly on: "created" | "updated" | "deleted";
  readonly collection: string;
  readonly uid: string;
}

const COLLECTIONS = new Map(EVENT_TYPES.map(({ collection }) => [tableOf(collection), collection]));

/** What a record that changed twice has come to; undefined: nothing. */
function merged(before: Change | undefined, next: Change): Change | undefined {
  if (!before) return next;
  if (next.on === "deleted") return before.on === "created" ? undefined : next;
  return before.on === "created" ? before : { ...next, on: "updated" };
}

/** Reads what the tables have noted (migration 017), each record once. */
export function readChanges(notes: string): Change[] {
  const changes = new Map<string, Change>();
  for (const line of notes.split("\n")) {
    const [on, table = "", uid = ""] = line.split(" ");
    const key = `${table} ${uid}`;
    const change = { on: on as Change["on"], collection: COLLECTIONS.get(table) ?? table, uid };
    const now = merged(changes.get(key), change);
    changes.delete(key);
    if (now) changes.set(key, now);
  }
  return [...changes.values()];
}

/** Something to tell, not yet with the record that it is about. */
export interface Told {
  readonly type: EventType;
  readonly subject: string;
  /** The collection and uid of the record to show; undefined where `body` says it all. */
  readonly record?: Change;
  readonly body?: Fields;
}

const typeOf = (collection: string, on: string): EventType | undefined =>
  EVENT_TYPES.find((type) => type.collection === collection && type.on === on && type.silent === undefined);

/** The event of an operation stands for those of the records that it was about. */
function told(operation: string, result: unknown, changes: readonly Change[]) {
  const type = EVENT_TYPES.find(({ on }) => on === operation);
  if (!type || !isFields(result)) return undefined;
  const own = typeof result["uid"] === "string" ? result["uid"] : undefined;
  const instead = changes.filter(
    ({ collection, uid }) => collection === type.collection && (own === undefined || own === uid),
  );
  const [first] = instead;
  return first && { type, subject: own ?? parentOf(first.uid), body: result, instead };
}

/** What is to be told of a transaction. `operation` is the id of what it was done by, `result` its answer. */
export function toTell(changes: readonly Change[], operation: string | undefined, result: unknown): Told[] {
  const whole = operation === undefined ? undefined : told(operation, result, changes);
  const rest = changes.filter((change) => !whole?.instead.includes(change));
  return [
    ...(whole ? [{ type: whole.type, subject: whole.subject, body: whole.body }] : []),
    ...rest.flatMap((record) => {
      const type = typeOf(record.collection, record.on);
      return type ? [{ type, subject: record.uid, record }] : [];
    }),
  ];
}

/** The group that an event belongs to; "" for an organization that is gone. */
export const groupOfEvent = ({ type, subject }: Pick<Told, "type" | "subject">): string =>
  ({ self: subject, parent: parentOf(subject), root: rootOf(subject) })[type.group];

/** Of a record what its event shows. */
export const shown = ({ only, without }: EventType, record: Fields): Fields =>
  Object.fromEntries(
    Object.entries(record).filter(([key]) => (only ? only.includes(key) : !without?.includes(key))),
  );
