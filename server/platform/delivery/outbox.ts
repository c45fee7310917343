import { CloudEvent } from "cloudevents";
import { randomUUID } from "node:crypto";

import { ancestorsOf, parentOf } from "platform-contract/aip";
import { PENDING } from "platform-contract/events/pending";
import { endpoints, resourceOf } from "platform-contract";

import { loggedTransaction } from "../audit/log";
import type { Config } from "../../config";
import { toAnswer } from "../standard/standard";
import type { Fields } from "../standard/values";
import { now } from "../store/clock";
import type { Database, Origin, Queries } from "../store/database";
import { TABLES } from "../../domains/tables";
import { groupOfEvent, readChanges, shown, eventsOf, type NewEvent } from "./changes";
import type { Stored } from "./dispatcher";
import { SINK_COLUMNS, type Sink } from "./queues";

/** Rows per statement. */
const AT_ONCE = 1_000;

function* batches<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += AT_ONCE) yield items.slice(from, from + AT_ONCE);
}

/** The URL of the called collection: the operation's path up to the record. */
function sourceOf({ publicUrl, issuer }: Config, origin: Origin | undefined): string {
  if (!origin) return publicUrl;
  const path = endpoints.find(({ id }) => id === origin.operation)?.path;
  return path === undefined ? issuer : publicUrl + path.replace(/\/\{.*$/, "");
}

/** The subscriptions to these groups: those at the groups themselves and above. */
async function subscribersOf(queries: Queries, groups: readonly string[]): Promise<Sink[]> {
  const places = new Set(groups.flatMap((group) => [...ancestorsOf(group), group]));
  return queries.query<Sink>(
    `select ${SINK_COLUMNS} from subscriptions s left join event_sinks k on k.subscription_uid = s.uid
     where s.parent = any($1::text[])`,
    [[...places]],
  );
}

/** The records to show, in their API form, by collection and uid; deleted ones are missing. */
async function recordsOf(queries: Queries, events: readonly NewEvent[]): Promise<Map<string, Fields>> {
  const records = new Map<string, Fields>();
  const wanted = events.flatMap(({ record }) => (record && record.on !== "deleted" ? [record] : []));
  for (const collection of new Set(wanted.map((change) => change.collection))) {
    const [table, resource] = [TABLES[collection], resourceOf(collection)];
    if (!table || !resource) continue;
    const uids = wanted.filter((change) => change.collection === collection).map(({ uid }) => uid);
    for (const some of batches(uids)) {
      const rows = await queries.query(
        `select ${table.columns} from ${table.name} t ${table.joins} where t.uid = any($1::text[])`,
        [[...some]],
      );
      for (const row of rows) {
        const item = toAnswer(resource, table.toItem(row));
        records.set(`${collection} ${String(item["uid"])}`, item);
      }
    }
  }
  return records;
}

/**
 * Stores events for all subscribers, inside the transaction that they are about: both commit, or neither does. Drops those
 * of subscriptions with too many pending ones.
 */
export async function storeEvents(
  queries: Queries,
  config: Config,
  events: readonly NewEvent[],
  origin?: Origin,
): Promise<Stored[]> {
  const subscribers = await subscribersOf(queries, [...new Set(events.map(groupOfEvent))]);
  if (subscribers.length === 0) return [];
  const records = await recordsOf(queries, events);
  const source = sourceOf(config, origin);
  const at = now();
  const actor = origin && {
    subject: origin.identity,
    act: { iss: origin.issuer, sub: origin.subject },
  };
  const counts = new Map(subscribers.map((sink) => [sink.uid, { sink, stored: 0, dropped: 0 }]));
  const deliveries = events.flatMap((event) => {
    const { type, subject, record, body } = event;
    const group = groupOfEvent(event);
    const places = new Set([...ancestorsOf(group), group]);
    const hearers = subscribers.filter((sink) => {
      const count = counts.get(sink.uid);
      if (!places.has(sink.group) || !count) return false;
      const kept = !sink.full && count.stored < PENDING.events;
      count[kept ? "stored" : "dropped"] += 1;
      return kept;
    });
    if (hearers.length === 0) return [];
    const item = body ?? records.get(`${record?.collection} ${subject}`) ?? { uid: subject };
    const id = randomUUID();
    const text = JSON.stringify(
      new CloudEvent({
        id,
        type: type.type,
        source,
        subject,
        time: at.toISOString(),
        datacontenttype: "application/json",
        group,
        audience: "customer",
        ...(actor && { actor: actor.subject }),
        ...(type.collection === "externalGroupRoleMappings" && { identityprovider: parentOf(subject) }),
        data: { ...(actor && { actor }), body: shown(type, item) },
      }),
    );
    return hearers.map(({ uid }) => ({ uid, id, text, type: type.type, subject }));
  });
  for (const some of batches(deliveries))
    await queries.query(
      `insert into event_deliveries (subscription_uid, event_id, event, type, subject, next_at, created_at)
       select d.uid, d.id, d.event, d.type, d.subject, $6, $6
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) as d (uid, id, event, type, subject)`,
      [
        some.map(({ uid }) => uid),
        some.map(({ id }) => id),
        some.map(({ text }) => text),
        some.map(({ type }) => type),
        some.map(({ subject }) => subject),
        at,
      ],
    );
  return [...counts.values()].filter(({ stored, dropped }) => stored + dropped > 0);
}

/**
 * Makes every transaction of the database log its changes and store their events. Changes outside of a transaction
 * produce neither. Calls `onStored` after a transaction that produced any.
 */
export const withEvents = (
  database: Database,
  config: Config,
  onStored: (stored: readonly Stored[]) => void,
): Database => ({
  ...database,
  transaction: async (work, originOf) => {
    let stored: readonly Stored[] = [];
    const result = await loggedTransaction(database, work, originOf, async (queries, changes, done) => {
      const { origin, result: answer } = done;
      const events = eventsOf(readChanges(changes), origin?.operation, answer);
      stored = await storeEvents(queries, config, events, origin);
    });
    if (stored.length > 0) onStored(stored);
    return result;
  },
});
