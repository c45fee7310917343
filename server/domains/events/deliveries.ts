import { CloudEvent } from "cloudevents";
import { randomUUID } from "node:crypto";

import { parentOf, parseOrder } from "platform-contract/aip";
import {
  listDeliveries,
  resendDelivery,
  sendTestEvent,
  TEST_EVENT,
} from "platform-contract/events/deliveries";
import { subscriptions } from "platform-contract/events/subscriptions";

import { failedPrecondition, notFound } from "../../status";
import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { keyedPage } from "../../platform/store/lists/keyed-pages";
import {
  addDelivery,
  deliveryKeys,
  lockSubscription,
  readDeliveries,
  sendAgain,
  waitingOf,
} from "./deliveries.table";
import { subscriptionsTable } from "./subscriptions.table";
import { readItem, type Item } from "../../platform/store/table";
import type { Call, Handler } from "../../platform/standard/call";
import { write } from "../../platform/standard/conflicts";
import { notFoundError } from "../../platform/standard/resource-info";
import type { Context } from "../../platform/standard/rules";
import { withoutUnset } from "../../platform/standard/values";
import { validate } from "../../platform/standard/violations";

const missing = ({ config }: Context, id: string) =>
  notFound(`events-log.${config.serviceDomain}/Delivery`, id);

const TIME = { created_at: "t.created_at" } as const;

const list =
  (context: Context): Handler =>
  async ({ caller, path: { uid }, query }) => {
    const { database, tokens } = context;
    if (!(await readItem(database, subscriptionsTable, uid)))
      throw notFoundError(context, subscriptions, uid);
    const order = parseOrder(String(query["order_by"] ?? ""), ["uid", "created_at"]) ?? {
      field: "created_at",
      descending: true,
    };
    const value = order.field === "created_at" ? TIME.created_at : undefined;
    const { keys, next, ...rest } = await keyedPage(database, tokens, {
      list: listDeliveries.id,
      caller: caller.key,
      // Part of the query, so that a page token of another subscription does not apply.
      query: { ...query, subscription: uid },
      order,
      value: value && "timestamptz",
      keys: (bind) => deliveryKeys(uid, query, value, bind),
    });
    const deliveries = await readDeliveries(database, uid, keys);
    return {
      deliveries: deliveries.map((item) => withoutUnset(item)),
      nextPageToken: await next(keys.length),
      ...rest,
    };
  };

/** Makes a delivery due, with an entry about the subscription; `choose` returns the delivery's id. */
async function due(
  context: Context,
  call: Call,
  choose: (queries: Queries, full: boolean) => Promise<string>,
): Promise<Item> {
  const { uid } = call.path;
  let sink: string | undefined;
  const delivery = await write(
    context.database,
    call,
    async (queries) => {
      const subscription = await lockSubscription(queries, uid);
      if (!subscription) throw notFoundError(context, subscriptions, uid);
      const id = await choose(queries, subscription.full);
      const [found] = await readDeliveries(queries, uid, [id]);
      if (!found) throw missing(context, id);
      ({ sink } = subscription);
      return withoutUnset(found);
    },
    // Nothing for an answer that is given again.
    () =>
      sink === undefined
        ? undefined
        : {
            action: call.operation ?? "",
            kind: subscriptions.collection,
            uid,
            group: parentOf(uid),
            name: sink,
          },
  );
  context.wake(uid);
  return delivery;
}

/** Like new events, none is added to a queue that has reached its limit. */
const requireRoom = (full: boolean, uid: string): void => {
  if (full)
    throw failedPrecondition([
      {
        type: "QUEUE_FULL",
        description: "too many events wait for this subscription: nothing is added until some have arrived",
        subject: uid,
      },
    ]);
};

const resend =
  (context: Context): Handler =>
  (call) => {
    const { delivery } = validate(resendDelivery.body!, withoutUnset(call.body), []);
    return due(context, call, async (queries, full) => {
      const [found] = await readDeliveries(queries, call.path.uid, [delivery]);
      if (found?.["endTime"] !== undefined) requireRoom(full, call.path.uid);
      await sendAgain(queries, call.path.uid, delivery);
      return delivery;
    });
  };

/** An event of its own type about the subscription itself, which no receiver takes for a change. */
const test =
  (context: Context): Handler =>
  (call) =>
    due(context, call, async (queries, full) => {
      const { uid } = call.path;
      const waiting = await waitingOf(queries, uid, TEST_EVENT);
      if (waiting !== undefined) {
        await sendAgain(queries, uid, waiting);
        return waiting;
      }
      requireRoom(full, uid);
      const { publicUrl } = context.config;
      const actor = {
        subject: call.caller.identities[0] ?? "",
        act: { iss: call.caller.issuer, sub: call.caller.subject },
      };
      const event = new CloudEvent({
        id: randomUUID(),
        type: TEST_EVENT,
        source: `${publicUrl}/events-log/v1/subscriptions`,
        subject: uid,
        time: now().toISOString(),
        datacontenttype: "application/json",
        group: parentOf(uid),
        audience: "customer",
        actor: actor.subject,
        data: { actor, body: { uid, test: true, description: "A test event: nothing has changed." } },
      });
      await addDelivery(queries, uid, {
        id: event.id,
        event: JSON.stringify(event),
        type: event.type,
        subject: uid,
      });
      return event.id;
    });

/** What became of the events of a subscription. */
export const deliveryHandlers = (context: Context): Map<string, Handler> =>
  new Map([
    [listDeliveries.id, list(context)],
    [resendDelivery.id, resend(context)],
    [sendTestEvent.id, test(context)],
  ]);
