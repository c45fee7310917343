import type { ReactNode } from "react";

import type { Subscription } from "platform-contract/events/subscriptions";
import { Drawers, type DrawersProps } from "~/frame/form/drawers";

import { subscriptionScreens } from "./data";
import { DeleteSubscription } from "./delete";
import { SubscriptionForm } from "./form";

export const SubscriptionDrawers = (props: DrawersProps<Subscription>): ReactNode => (
  <Drawers {...props} of={subscriptionScreens} form={SubscriptionForm} remove={DeleteSubscription} />
);
