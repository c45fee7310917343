import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/resource/route";
import { subscriptionScreens, type SubscriptionSearch } from "~/screens/subscriptions/data";
import { SubscriptionList } from "~/screens/subscriptions/list";

export const Route = createFileRoute("/subscriptions/")({
  validateSearch: listSearch<SubscriptionSearch>(),
  loader: startList(subscriptionScreens),
  component: SubscriptionList,
});
