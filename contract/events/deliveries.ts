import * as z from "zod/mini";

import { endpoint } from "../endpoint";
import { listEndpoint } from "../resource";
import { answeredEnum, NAME_BYTES, openEnum, text } from "../schema";

/** Not tried yet; the last attempt failed and another follows; arrived; not tried any more. */
export const DELIVERY_STATES = [
  "DELIVERY_STATE_WAITING",
  "DELIVERY_STATE_FAILED",
  "DELIVERY_STATE_DELIVERED",
  "DELIVERY_STATE_GIVEN_UP",
] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The type of an event that somebody sends to try a sink; no type of the published API. */
export const TEST_EVENT = "platform-console.subscription.test.v1";

const EVENT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const eventId = () => text({ pattern: EVENT_ID, sentence: "must be the uid of a delivery" });

const attempt = z.looseObject({
  time: z.string(),
  milliseconds: z.optional(z.number()),
  /** The HTTP status; missing if there was no response. */
  status: z.optional(z.number()),
  /** Why there was no response, as a sentence. */
  error: z.optional(z.string()),
});
export type DeliveryAttempt = z.infer<typeof attempt>;

/** An event on its way to one subscription: never its content, which readers of a subscription may not be allowed to see. */
const delivery = z.looseObject({
  /** The event's id (`ce-id`), the same in every attempt. */
  uid: z.string(),
  type: z.string(),
  /** The record that the event is about. */
  subject: z.optional(z.string()),
  state: z.optional(answeredEnum(["DELIVERY_STATE_UNSPECIFIED", ...DELIVERY_STATES])),
  createTime: z.optional(z.string()),
  /** All that were begun, also those that `attempts` no longer has. */
  attemptCount: z.optional(z.number()),
  /** The last ones, oldest first. */
  attempts: z.optional(z.array(attempt)),
  /** When it is tried next, at the earliest. */
  nextTime: z.optional(z.string()),
  /** When it arrived or was given up. */
  endTime: z.optional(z.string()),
});
export type EventDelivery = z.infer<typeof delivery>;

/** An extension: the published API does not say what became of an event. */
export const listDeliveries = listEndpoint({
  collection: "deliveries",
  path: "/events-log/v1/subscriptions/{uid}/deliveries",
  access: { at: "uid", needs: ["CAP_EVENTS_SUBSCRIPTION_LIST"] },
  row: delivery,
  filters: {
    type: z.optional(text({ bytes: NAME_BYTES })),
    state: z.optional(openEnum(DELIVERY_STATES)),
    /** The uid of one; `uid` is the subscription's. */
    delivery: z.optional(eventId()),
  },
  takes: "pages",
  sortable: ["created_at", "uid"],
  summary: "List the deliveries of an event subscription, newest first",
});

const write = {
  collection: "subscriptions",
  method: "POST",
  access: { at: "uid", needs: ["CAP_EVENTS_SUBSCRIPTION_UPDATE"] },
  answer: delivery,
} as const;

export const resendDelivery = endpoint({
  ...write,
  verb: "resend",
  path: "/events-log/v1/subscriptions/{uid}:resend",
  body: z.object({
    /** The uid of the delivery. */
    delivery: eventId(),
  }),
  summary: "Send an event to a subscription again, under the same id",
});

/** While one waits, it is sent instead of another one. */
export const sendTestEvent = endpoint({
  ...write,
  verb: "sendTest",
  path: "/events-log/v1/subscriptions/{uid}:sendTest",
  body: z.object({}),
  summary: "Send a test event to a subscription",
});
