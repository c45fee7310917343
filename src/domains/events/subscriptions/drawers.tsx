import type { ReactNode } from "react";

import type { Subscription } from "platform-contract/events/subscriptions";
import { Drawers, type DrawersProps, type DeleteProps } from "~/frame/form/drawers";
import { DeleteRecord } from "~/frame/record/delete-record";

import { subscriptionScreens } from "./data";
import { SubscriptionForm } from "./form";

/** Confirms the deletion of a subscription. */
const DeleteSubscription = (props: DeleteProps<Subscription>): ReactNode => (
  <DeleteRecord
    of={subscriptionScreens}
    {...props}
    consequence="Events stop immediately, including pending deliveries."
  />
);

export const SubscriptionDrawers = (props: DrawersProps<Subscription>): ReactNode => (
  <Drawers {...props} of={subscriptionScreens} form={SubscriptionForm} remove={DeleteSubscription} />
);
