import * as z from "zod/mini";

import { KINDS } from "../kinds";
import { resource, type InputOf, type ItemOf } from "../resource";
import { NAME_BYTES, text } from "../schema";

/** https, or http to the loopback host, which only a local service accepts. */
const SINK =
  /^(?:https:\/\/[^\s/?#@\\]+|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?)(?:[/?][^\s#\\]*)?$/;

export const SINK_RULE = "sink must be an https:// address without user or fragment";

/** Where the events of a group and of the groups below it are sent (contract 1.16). */
export const subscriptions = resource({
  kind: KINDS.subscriptions,
  settable: {
    sink: text({ pattern: SINK, sentence: SINK_RULE, bytes: NAME_BYTES }).check(
      z.refine((sink) => !SINK.test(sink) || URL.canParse(sink), SINK_RULE),
    ),
  },
  output: {},
  filters: {},
});

export type Subscription = ItemOf<typeof subscriptions>;
export type SubscriptionInput = InputOf<typeof subscriptions>;
