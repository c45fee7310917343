import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/resource/route";
import { SubscriptionPage } from "~/screens/subscriptions/page";

export const Route = createFileRoute("/subscriptions/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(async () => (await import("~/screens/subscriptions/data")).subscriptionScreens),
  component: SubscriptionPage,
});
