import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/resource/route";
import { subscriptionScreens } from "~/screens/subscriptions/data";
import { SubscriptionPage } from "~/screens/subscriptions/page";

export const Route = createFileRoute("/subscriptions/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(subscriptionScreens),
  component: SubscriptionPage,
});
