import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/frame/route";
import { subscriptionScreens } from "~/domains/events/subscriptions/data";
import { SubscriptionPage } from "~/domains/events/subscriptions/page";

export const Route = createFileRoute("/subscriptions/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(subscriptionScreens),
  component: SubscriptionPage,
});
