import { KINDS } from "../kinds";
import { resource, type InputOf, type ItemOf } from "../resource";
import { NAME_BYTES, webAddressText } from "../schema";

/** Where the events of a group and of the groups below it are sent. */
export const subscriptions = resource({
  kind: KINDS.subscriptions,
  settable: {
    // http only to this machine, which only a local service accepts.
    sink: webAddressText({ http: "loopback", fragment: false, bytes: NAME_BYTES }),
  },
  output: {},
  filters: {},
});

export type Subscription = ItemOf<typeof subscriptions>;
export type SubscriptionInput = InputOf<typeof subscriptions>;
