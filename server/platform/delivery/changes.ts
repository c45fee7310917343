import { parentOf, rootOf } from "platform-contract/aip";
import { EVENT_TYPES, type EventType } from "platform-contract/events/event-types";

import { tableOf } from "../standard/children.table";
import { isFields, type Fields } from "../standard/values";

/** What a transaction did to one record. */
export interface EventChange {
  readonly on: "created" | "updated" | "deleted";
  readonly collection: string;
  readonly uid: string;
}

const COLLECTIONS = new Map(EVENT_TYPES.map(({ collection }) => [tableOf(collection), collection]));

/** Merges two changes to a record; undefined if they cancel out. */
function merged(before: EventChange | undefined, next: EventChange): EventChange | undefined {
  if (!before) return next;
  if (next.on === "deleted") return before.on === "created" ? undefined : next;
  return before.on === "created" ? before : { ...next, on: "updated" };
}

/** Parses the changes noted by the tables (migration 017), one per record. */
export function readChanges(notes: string): EventChange[] {
  const changes = new Map<string, EventChange>();
  for (const line of notes.split("\n")) {
    const [on, table = "", uid = ""] = line.split(" ");
    const key = `${table} ${uid}`;
    const change = { on: on as EventChange["on"], collection: COLLECTIONS.get(table) ?? table, uid };
    const now = merged(changes.get(key), change);
    changes.delete(key);
    if (now) changes.set(key, now);
  }
  return [...changes.values()];
}

/** An event to send, not yet with its record. */
export interface NewEvent {
  readonly type: EventType;
  readonly subject: string;
  /** The change to the record to show; undefined if `body` is complete. */
  readonly record?: EventChange;
  readonly body?: Fields;
}

const typeOf = (collection: string, on: string): EventType | undefined =>
  EVENT_TYPES.find((type) => type.collection === collection && type.on === on && type.silent === undefined);

/** An operation's event replaces the events of the records that it concerns. */
function operationEvent(operation: string, result: unknown, changes: readonly EventChange[]) {
  const type = EVENT_TYPES.find(({ on }) => on === operation);
  if (!type || !isFields(result)) return undefined;
  const named = result["uid"] ?? result["identityProviderUid"];
  const own = typeof named === "string" ? named : undefined;
  const instead = changes.filter(
    ({ collection, uid }) => collection === type.collection && (own === undefined || own === uid),
  );
  const [first] = instead;
  return first && { type, subject: own ?? parentOf(first.uid), body: result, instead };
}

/** The events of a transaction. `operation` is the id of the operation that ran it, `result` its response. */
export function eventsOf(
  changes: readonly EventChange[],
  operation: string | undefined,
  result: unknown,
): NewEvent[] {
  const whole = operation === undefined ? undefined : operationEvent(operation, result, changes);
  const rest = changes.filter((change) => !whole?.instead.includes(change));
  return [
    ...(whole ? [{ type: whole.type, subject: whole.subject, body: whole.body }] : []),
    ...rest.flatMap((record) => {
      const type = typeOf(record.collection, record.on);
      return type ? [{ type, subject: record.uid, record }] : [];
    }),
  ];
}

/** The group that an event belongs to; "" for a deleted organization. */
export const groupOfEvent = ({ type, subject }: Pick<NewEvent, "type" | "subject">): string =>
  ({ self: subject, parent: parentOf(subject), root: rootOf(subject) })[type.group];

/** The fields of a record that its event shows. */
export const shown = ({ only, without }: EventType, record: Fields): Fields =>
  Object.fromEntries(
    Object.entries(record).filter(([key]) => (only ? only.includes(key) : !without?.includes(key))),
  );
