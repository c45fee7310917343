import { KEPT } from "platform-contract/events/pending";

import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import type { Bind } from "../../platform/store/sql";
import { time, type Item, type Texts } from "../../platform/store/table";

const CREATED = "coalesce(first_at, created_at)";

/** SQL: the deliveries of a subscription that wait and those that have ended, under the same columns. */
const both = (subscription: string): string => `(
  select event_id, type, subject, state, history, earlier + attempts as attempts, ${CREATED} as created_at,
    next_at, null::timestamptz as ended_at
  from event_deliveries where subscription_uid = ${subscription}
  union all
  select event_id, type, subject, state, history, attempts, created_at, null, ended_at
  from ended_deliveries where subscription_uid = ${subscription})`;

export interface DeliveryFilters {
  readonly type?: string | undefined;
  readonly state?: string | undefined;
  readonly delivery?: string | undefined;
}

/** SQL: the keys of the deliveries that match. */
export function deliveryKeys(
  subscription: string,
  { type, state, delivery }: DeliveryFilters,
  value: string | undefined,
  bind: Bind,
): string {
  const conditions = [
    ...(type ? [`t.type = ${bind(type)}`] : []),
    ...(state ? [`t.state = ${bind(state)}`] : []),
    ...(delivery ? [`t.event_id = ${bind(delivery)}`] : []),
  ];
  return `select t.event_id as key ${value ? `, ${value} as value` : ""} from ${both(bind(subscription))} t
    where ${conditions.join(" and ") || "true"}`;
}

type DeliveryRow = Texts<"event_id" | "type" | "subject" | "state"> & {
  readonly created_at: Date;
  readonly attempts: number;
  readonly history: unknown;
  readonly next_at: Date | null;
  readonly ended_at: Date | null;
};

function toItem(row: DeliveryRow): Item {
  return {
    uid: row.event_id,
    type: row.type,
    subject: row.subject === "" ? undefined : row.subject,
    state: row.state,
    createTime: time(row.created_at),
    attemptCount: Number(row.attempts),
    attempts: row.history,
    nextTime: time(row.next_at),
    endTime: time(row.ended_at),
  };
}

/** Reads deliveries by id, in the order of `ids`. */
export async function readDeliveries(
  queries: Queries,
  subscription: string,
  ids: readonly string[],
): Promise<Item[]> {
  const rows = await queries.query<DeliveryRow>(
    `select * from ${both("$1")} t where t.event_id = any($2::text[])`,
    [subscription, ids],
  );
  const byId = new Map(rows.map((row) => [row.event_id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? [toItem(row)] : [];
  });
}

/** A subscription, locked until the transaction ends: whoever adds a delivery does so alone. */
export async function lockSubscription(
  queries: Queries,
  uid: string,
): Promise<{ readonly sink: string; readonly full: boolean } | undefined> {
  const [row] = await queries.query<{ sink: string; full: boolean }>(
    `select s.sink, exists (select 1 from event_sinks k where k.subscription_uid = s.uid and k.full_since is not null) as full
     from subscriptions s where s.uid = $1 for no key update`,
    [uid],
  );
  return row;
}

/** SQL: due at the time of this parameter, before all others of the subscription $1. */
const FIRST = (time: string): string =>
  `(select least(${time}::timestamptz, min(f.next_at) - interval '1 millisecond') from event_deliveries f where f.subscription_uid = $1)`;

/** Ends the rest of a failing sink, unless it is being sent something: somebody asked for an attempt now. */
const endRest = async (queries: Queries, subscription: string): Promise<void> => {
  await queries.query(
    `update event_sinks set rests_until = 'epoch' where subscription_uid = $1 and not exists
       (select 1 from event_deliveries where subscription_uid = $1 and held_until > $2)`,
    [subscription, now()],
  );
};

/**
 * Makes a delivery due before all others, with a day of attempts before it is given up: one that waits, unless it is being
 * sent, or one that has ended.
 */
export async function sendAgain(queries: Queries, subscription: string, id: string): Promise<void> {
  const values = [subscription, id, now()];
  await endRest(queries, subscription);
  await queries.query(
    `update event_deliveries set next_at = ${FIRST("$3")}, first_at = ${CREATED}, created_at = $3, earlier = earlier + attempts,
       attempts = 0, state = 'DELIVERY_STATE_WAITING'
     where subscription_uid = $1 and event_id = $2 and (held_until is null or held_until <= $3)`,
    values,
  );
  await queries.query(
    `with ended as (delete from ended_deliveries where subscription_uid = $1 and event_id = $2 returning *)
     insert into event_deliveries
       (subscription_uid, event_id, event, type, subject, history, earlier, first_at, next_at, created_at)
     select subscription_uid, event_id, event, type, subject, history, attempts, created_at, ${FIRST("$3")}, $3 from ended
     on conflict (subscription_uid, event_id) do nothing`,
    values,
  );
}

/** The id of a delivery of this type that waits. */
export async function waitingOf(
  queries: Queries,
  subscription: string,
  type: string,
): Promise<string | undefined> {
  const [row] = await queries.query<{ id: string }>(
    "select event_id as id from event_deliveries where subscription_uid = $1 and type = $2 limit 1",
    [subscription, type],
  );
  return row?.id;
}

/** Adds a delivery that is due before all others. */
export async function addDelivery(
  queries: Queries,
  subscription: string,
  { id, event, type, subject }: { id: string; event: string; type: string; subject: string },
): Promise<void> {
  await endRest(queries, subscription);
  await queries.query(
    `insert into event_deliveries (subscription_uid, event_id, event, type, subject, next_at, created_at)
     values ($1, $2, $3, $4, $5, ${FIRST("$6")}, $6)`,
    [subscription, id, event, type, subject, now()],
  );
}

/** Removes deliveries that ended long ago, and those of deleted subscriptions. */
export async function sweepDeliveries(queries: Queries): Promise<void> {
  const before = new Date(now().getTime() - KEPT.days * 86_400_000);
  await queries.query("delete from ended_deliveries where ended_at < $1", [before]);
  await queries.query(
    "delete from ended_deliveries d where not exists (select 1 from subscriptions s where s.uid = d.subscription_uid)",
  );
}

/** How many deliveries wait, and the age of the oldest in seconds; both of at most `most` deliveries. */
export async function pendingDeliveries(
  queries: Queries,
  most: number,
): Promise<{ readonly events: number; readonly age: number }> {
  const [pending] = await queries.query<{ events: number; age: number }>(
    `select count(*)::int as events, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as age
     from (select created_at from event_deliveries limit ${most}) d`,
  );
  return { events: pending?.events ?? 0, age: Math.max(0, pending?.age ?? 0) };
}
