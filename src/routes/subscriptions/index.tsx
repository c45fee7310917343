import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/frame/route";
import { subscriptionScreens, type SubscriptionSearch } from "~/domains/events/subscriptions/data";
import { SubscriptionList } from "~/domains/events/subscriptions/list";

export const Route = createFileRoute("/subscriptions/")({
  validateSearch: listSearch<SubscriptionSearch>(),
  loader: startList(subscriptionScreens),
  component: SubscriptionList,
});
