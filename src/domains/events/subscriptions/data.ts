import { subscriptions, type Subscription } from "platform-contract/events/subscriptions";
import { parseUrl } from "platform-contract/url";
import { defineScreens } from "~/frame/define";
import { contains, searched, type SearchOf } from "~/frame/list/filters";

/** Host of the sink; the whole text if it is not a URL. */
export const hostOf = ({ sink = "" }: Subscription): string => parseUrl(sink)?.host ?? sink;

const filters = {
  contains: searched(contains<Subscription>("URL", ({ sink }) => [sink])),
};
export type SubscriptionSearch = SearchOf<typeof filters>;

export const subscriptionScreens = defineScreens(subscriptions, {
  drawers: { form: async () => (await import("./form")).SubscriptionForm },
  filters,
  deletion: {
    dependents: () => [],
    consequence: "Events stop immediately, including pending deliveries.",
  },
  nameOf: (subscription: Subscription) => subscription.sink ?? "",
});
