import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/resource/route";
import type { SubscriptionSearch } from "~/screens/subscriptions/data";
import { SubscriptionList } from "~/screens/subscriptions/list";

export const Route = createFileRoute("/subscriptions/")({
  validateSearch: listSearch<SubscriptionSearch>(),
  loader: startList(async () => (await import("~/screens/subscriptions/data")).subscriptionScreens),
  component: SubscriptionList,
});
