import type { Queries } from "../store/database";

/** What all processes know of a sink. */
export interface Sink {
  /** Uid of the subscription. */
  readonly uid: string;
  /** The subscribing group. */
  readonly group: string;
  readonly sink: string;
  /** It has accepted an event, and has not failed too often since. */
  readonly works: boolean;
  /** Failures since the last success. */
  readonly failures: number;
  /** Nothing is sent to it before, unless it works. */
  readonly restsUntil: Date;
  /** Its queue has reached the limit: new events are dropped. */
  readonly full: boolean;
}

/** SQL: the columns of a Sink, for a subscription `s` and what is known of its sink, `k`. */
export const SINK_COLUMNS = `s.uid, s.parent as "group", s.sink, coalesce(k.works, false) as works,
  coalesce(k.failures, 0) as failures, coalesce(k.rests_until, 'epoch') as "restsUntil", k.full_since is not null as "full"`;

/** What is known of one sink; undefined if the subscription is deleted. */
export async function readSink(queries: Queries, uid: string): Promise<Sink | undefined> {
  const [sink] = await queries.query<Sink>(
    `select ${SINK_COLUMNS} from subscriptions s left join event_sinks k on k.subscription_uid = s.uid where s.uid = $1`,
    [uid],
  );
  return sink;
}

/** The pending deliveries of a subscription. */
export interface Queue extends Omit<Sink, "group" | "sink"> {
  /** Both are null once the subscription is deleted. */
  readonly group: string | null;
  readonly sink: string | null;
  /** When its first delivery is due. */
  readonly due: Date;
}

/** A place in the queues of one organization: those after this subscription. */
export interface Position {
  readonly organization: string;
  readonly after: string;
}

/** The next organizations, by uid, with pending deliveries: one index lookup for each. */
export async function readOrganizations(queries: Queries, after: string, most: number): Promise<string[]> {
  const rows = await queries.query<{ organization: string }>(
    `with recursive found (organization, place) as (
       (select left(subscription_uid, 40), 1 from event_deliveries where subscription_uid > $1
         order by subscription_uid limit 1)
       union all
       select (select left(d.subscription_uid, 40) from event_deliveries d
         where d.subscription_uid > found.organization || '0' order by d.subscription_uid limit 1), place + 1
       from found where found.organization is not null and place < $2)
     select organization from found where organization is not null order by place`,
    [after && `${after}0`, most],
  );
  return rows.map(({ organization }) => organization);
}

/**
 * The next queues of each of these organizations: two index lookups for each, however many deliveries are pending. At
 * most `most` of each organization.
 */
export const readQueues = (
  queries: Queries,
  positions: readonly Position[],
  most: number,
): Promise<(Queue & { readonly organization: string })[]> =>
  queries.query<Queue & { readonly organization: string }>(
    `with recursive queue (organization, uid, place) as (
       select p.organization collate "C", p.after collate "C", 0 from unnest($1::text[], $2::text[]) as p (organization, after)
       union all
       select organization, (select d.subscription_uid from event_deliveries d
         where d.subscription_uid > queue.uid and d.subscription_uid < queue.organization || '0'
         order by d.subscription_uid limit 1), place + 1
       from queue where queue.uid is not null and place < $3)
     select ${SINK_COLUMNS.replace("s.uid", "q.uid")}, q.organization, first.due
     from queue q left join subscriptions s on s.uid = q.uid left join event_sinks k on k.subscription_uid = q.uid
       cross join lateral (select d.next_at as due from event_deliveries d where d.subscription_uid = q.uid
         order by d.next_at limit 1) first
     where q.place > 0 order by q.place, q.organization`,
    [positions.map(({ organization }) => organization), positions.map(({ after }) => after), most],
  );

/** One delivery, claimed by this process until `next_at`. */
export interface ClaimedDelivery {
  readonly subscription: string;
  readonly id: string;
  readonly event: string;
  /** Including the one about to be made. */
  readonly attempts: number;
  readonly since: Date;
}

interface Claim {
  readonly uid: string;
  readonly most: number;
  readonly at: Date;
  /** Milliseconds; after that, other processes take over the deliveries of a killed process. */
  readonly lease: number;
}

/** SQL: claims due deliveries of `whose.uid`, oldest first; skips those that another process is claiming. */
const claimed = (whose: string) =>
  `update event_deliveries e set attempts = e.attempts + 1, next_at = $4, held_until = $4
   from ${whose} cross join lateral (
     select d.subscription_uid, d.event_id from event_deliveries d
     where d.subscription_uid = whose.uid and d.next_at <= $3 order by d.next_at limit $2 for update skip locked) due
   where (e.subscription_uid, e.event_id) = (due.subscription_uid, due.event_id)
   returning e.subscription_uid as subscription, e.event_id as id, e.event, e.attempts, e.created_at as since`;

const parametersOf = ({ uid, most, at, lease }: Claim) => [uid, most, at, new Date(at.getTime() + lease)];

/** Claims due deliveries to a sink that works; none if it no longer does. */
export const claimWorking = (queries: Queries, claim: Claim): Promise<ClaimedDelivery[]> =>
  queries.query<ClaimedDelivery>(
    claimed("(select subscription_uid as uid from event_sinks where subscription_uid = $1 and works) whose"),
    parametersOf(claim),
  );

/** Claims due deliveries to a sink that may not work. No other process sends to it until the outcome is stored. */
export async function claimAlone(queries: Queries, claim: Claim): Promise<ClaimedDelivery[]> {
  const held = await queries.query<ClaimedDelivery>(
    `with whose as (
       insert into event_sinks as k (subscription_uid, rests_until)
         select s.uid, $4 from subscriptions s where s.uid = $1
           and exists (select 1 from event_deliveries d where d.subscription_uid = $1 and d.next_at <= $3)
       on conflict (subscription_uid) do update set rests_until = $4 where k.rests_until <= $3
       returning subscription_uid as uid)
     ${claimed("whose")}`,
    parametersOf(claim),
  );
  // The deliveries may have ended between the two parts of the statement: nobody would store an outcome.
  if (held.length === 0)
    await queries.query(
      "update event_sinks set rests_until = 'epoch' where subscription_uid = $1 and rests_until = $2",
      [claim.uid, new Date(claim.at.getTime() + claim.lease)],
    );
  return held;
}

/** Stores that a sink has accepted an event. */
export const storeSuccess = async (queries: Queries, uid: string): Promise<void> => {
  await queries.query(
    "update event_sinks set works = true, failures = 0, rests_until = 'epoch' where subscription_uid = $1",
    [uid],
  );
};

/**
 * Stores that a sink has failed: after `most` failures in a row it no longer works. It rests until `rest` milliseconds
 * from `at`, doubled with each failure up to `longest`.
 */
export async function storeFailure(
  queries: Queries,
  uid: string,
  { most, at, rest, longest }: { most: number; at: Date; rest: number; longest: number },
): Promise<Pick<Sink, "works" | "failures" | "restsUntil"> | undefined> {
  const [row] = await queries.query<Pick<Sink, "works" | "failures" | "restsUntil">>(
    `update event_sinks set failures = failures + 1, works = works and failures + 1 < $2,
       rests_until = case when works and failures + 1 < $2 then 'epoch'
         else $3::timestamptz + least($4::float8 * 2 ^ least(failures + 1, 20), $5::float8) * interval '1 millisecond' end
     where subscription_uid = $1 returning works, failures, rests_until as "restsUntil"`,
    [uid, most, at, rest, longest],
  );
  return row;
}

/** Counts the pending deliveries of a subscription, up to `most`. */
export async function countPending(queries: Queries, uid: string, most: number): Promise<number> {
  const [row] = await queries.query<{ pending: number }>(
    `select count(*)::int as pending from
       (select 1 from event_deliveries where subscription_uid = $1 limit $2) d`,
    [uid, most],
  );
  return row?.pending ?? 0;
}

/** Stores that new events of a subscription are dropped from now on; false if that was known. */
export async function storeFull(queries: Queries, uid: string, at: Date): Promise<boolean> {
  const rows = await queries.query(
    `insert into event_sinks as k (subscription_uid, full_since) select s.uid, $2 from subscriptions s where s.uid = $1
     on conflict (subscription_uid) do update set full_since = $2, dropped = 0 where k.full_since is null returning 1`,
    [uid, at],
  );
  return rows.length > 0;
}

/** Stores that new events are kept again; returns how many were dropped, or undefined if none would have been. */
export async function endFull(queries: Queries, uid: string): Promise<number | undefined> {
  const [row] = await queries.query<{ dropped: number }>(
    `update event_sinks set full_since = null where subscription_uid = $1 and full_since is not null
     returning dropped`,
    [uid],
  );
  return row?.dropped;
}

/** Adds to the numbers of dropped events, by subscription. */
export const storeDropped = async (queries: Queries, dropped: ReadonlyMap<string, number>): Promise<void> => {
  await queries.query(
    `update event_sinks k set dropped = k.dropped + d.more from unnest($1::text[], $2::int[]) as d (uid, more)
     where k.subscription_uid = d.uid`,
    [[...dropped.keys()], [...dropped.values()]],
  );
};

/** Removes the deliveries of deleted subscriptions. */
export const endQueues = async (queries: Queries, uids: readonly string[]): Promise<void> => {
  for (const table of ["event_deliveries", "ended_deliveries"])
    await queries.query(`delete from ${table} where subscription_uid = any($1::text[])`, [[...uids]]);
};
