import type { Queries } from "../store/database";

/** What is to be sent, and to whom; `sink` is null once the subscription is gone. */
export interface Queue {
  readonly uid: string;
  readonly group: string | null;
  readonly sink: string | null;
  /** When the first of its deliveries is due. */
  readonly due: Date;
}

/** One delivery, held by this process until `next_at`. */
export interface Held {
  readonly subscription: string;
  readonly id: string;
  readonly event: string;
  /** With the one that is about to be made. */
  readonly attempts: number;
  readonly since: Date;
}

/** Every subscription that something waits for: one look into the index for each, however much waits. */
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
 * Holds up to so many deliveries of each subscription, the oldest first, for `lease` milliseconds: whoever is killed
 * meanwhile leaves them to others then. What another process is about to hold is passed by.
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

/** Ends a delivery: it has arrived, or is given up. */
export const endDelivery = async (queries: Queries, { subscription, id }: Held): Promise<void> => {
  await queries.query("delete from event_deliveries where subscription_uid = $1 and event_id = $2", [
    subscription,
    id,
  ]);
};

/** Puts a delivery off until `next`. */
export const putOff = async (queries: Queries, { subscription, id }: Held, next: Date): Promise<void> => {
  await queries.query(
    "update event_deliveries set next_at = $3 where subscription_uid = $1 and event_id = $2",
    [subscription, id, next],
  );
};

/** Removes what waits for subscriptions that are gone. */
export const endQueues = async (queries: Queries, uids: readonly string[]): Promise<void> => {
  await queries.query("delete from event_deliveries where subscription_uid = any($1::text[])", [[...uids]]);
};
