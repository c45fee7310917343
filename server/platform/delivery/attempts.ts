import type { DeliveryState } from "platform-contract/events/deliveries";
import { KEPT } from "platform-contract/events/pending";

import type { Queries } from "../store/database";
import type { DeliveryOutcome } from "./outcome";
import type { ClaimedDelivery } from "./queues";

/** One attempt, as it is stored and shown. */
export interface Attempt extends DeliveryOutcome {
  readonly time: string;
  readonly milliseconds: number;
}

/** SQL: the history with one more attempt, without those beyond the last few. */
const withAttempt = (parameter: string): string =>
  `(case when jsonb_array_length(history) >= ${KEPT.attempts} then history - 0 else history end) || ${parameter}::jsonb`;

const jsonOf = (attempt: Attempt): string => JSON.stringify([attempt]);

/** Postpones a delivery until `next`. */
export const putOff = async (
  queries: Queries,
  { subscription, id }: ClaimedDelivery,
  { next, attempt }: { readonly next: Date; readonly attempt: Attempt },
): Promise<void> => {
  await queries.query(
    `update event_deliveries set next_at = $3, held_until = null, state = 'DELIVERY_STATE_FAILED',
       history = ${withAttempt("$4")}
     where subscription_uid = $1 and event_id = $2`,
    [subscription, id, next, jsonOf(attempt)],
  );
};

/** Ends a delivery that has arrived or is given up: it leaves the queue, and is kept for a while. */
export const endDelivery = async (
  queries: Queries,
  { subscription, id }: ClaimedDelivery,
  { state, at, attempt }: { readonly state: DeliveryState; readonly at: Date; readonly attempt: Attempt },
): Promise<void> => {
  await queries.query(
    `with ended as (delete from event_deliveries where subscription_uid = $1 and event_id = $2 returning *)
     insert into ended_deliveries
       (subscription_uid, event_id, event, type, subject, state, history, attempts, created_at, ended_at)
     select subscription_uid, event_id, event, type, subject, $3, ${withAttempt("$5")}, earlier + attempts,
       coalesce(first_at, created_at), $4
     from ended where exists (select 1 from subscriptions s where s.uid = $1)
     on conflict (subscription_uid, event_id) do nothing`,
    [subscription, id, state, at, jsonOf(attempt)],
  );
};

/** Removes what a subscription keeps beyond its newest ended deliveries. */
export const dropOldest = async (queries: Queries, subscription: string, kept: number): Promise<void> => {
  await queries.query(
    `delete from ended_deliveries d using (
       select ended_at, event_id from ended_deliveries where subscription_uid = $1
       order by ended_at desc, event_id desc offset $2 limit 1) last
     where d.subscription_uid = $1 and (d.ended_at, d.event_id) <= (last.ended_at, last.event_id)`,
    [subscription, kept],
  );
};
