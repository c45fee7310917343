import type { Queries } from "../store/database";

/** The pending deliveries of a subscription; `sink` is null once the subscription is deleted. */
export interface Queue {
  readonly uid: string;
  readonly group: string | null;
  readonly sink: string | null;
  /** When its first delivery is due. */
  readonly due: Date;
}

/** One delivery, claimed by this process until `next_at`. */
export interface Held {
  readonly subscription: string;
  readonly id: string;
  readonly event: string;
  /** Including the one about to be made. */
  readonly attempts: number;
  readonly since: Date;
}

/** Every subscription with pending deliveries: one index lookup for each, however many are pending. */
export const readQueues = (queries: Queries): Promise<Queue[]> =>
  queries.query<Queue>(
    `with recursive queue (uid) as (
       (select subscription_uid from event_deliveries order by subscription_uid limit 1)
       union all
       select (select d.subscription_uid from event_deliveries d where d.subscription_uid > queue.uid
         order by d.subscription_uid limit 1) from queue where queue.uid is not null)
     select q.uid, s.parent as "group", s.sink, first.due from queue q left join subscriptions s on s.uid = q.uid
       cross join lateral (select d.next_at as due from event_deliveries d where d.subscription_uid = q.uid
         order by d.next_at limit 1) first`,
  );

/**
 * Claims up to the given number of due deliveries per subscription, oldest first, for `lease` milliseconds; after that,
 * other processes take over those of a killed process. Skips rows that another process is claiming.
 */
export const holdDeliveries = (
  queries: Queries,
  wanted: ReadonlyMap<string, number>,
  at: Date,
  lease: number,
): Promise<Held[]> =>
  queries.query<Held>(
    `update event_deliveries e set attempts = e.attempts + 1, next_at = $4
     from unnest($1::text[], $2::int[]) as w (uid, most) cross join lateral (
       select d.subscription_uid, d.event_id from event_deliveries d
       where d.subscription_uid = w.uid and d.next_at <= $3 order by d.next_at limit w.most for update skip locked) due
     where (e.subscription_uid, e.event_id) = (due.subscription_uid, due.event_id)
     returning e.subscription_uid as subscription, e.event_id as id, e.event, e.attempts, e.created_at as since`,
    [[...wanted.keys()], [...wanted.values()], at, new Date(at.getTime() + lease)],
  );

/** Ends a delivery that has arrived or is given up. */
export const endDelivery = async (queries: Queries, { subscription, id }: Held): Promise<void> => {
  await queries.query("delete from event_deliveries where subscription_uid = $1 and event_id = $2", [
    subscription,
    id,
  ]);
};

/** Postpones a delivery until `next`. */
export const putOff = async (queries: Queries, { subscription, id }: Held, next: Date): Promise<void> => {
  await queries.query(
    "update event_deliveries set next_at = $3 where subscription_uid = $1 and event_id = $2",
    [subscription, id, next],
  );
};

/** Removes the deliveries of deleted subscriptions. */
export const endQueues = async (queries: Queries, uids: readonly string[]): Promise<void> => {
  await queries.query("delete from event_deliveries where subscription_uid = any($1::text[])", [[...uids]]);
};
