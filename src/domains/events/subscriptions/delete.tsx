import type { ReactNode } from "react";

import type { Subscription } from "platform-contract/events/subscriptions";
import { DeleteRecord } from "~/frame/record/delete-record";
import type { DeleteProps } from "~/frame/form/drawers";

import { subscriptionScreens } from "./data";

/** Confirms the deletion of a subscription. */
export const DeleteSubscription = (props: DeleteProps<Subscription>): ReactNode => (
  <DeleteRecord
    of={subscriptionScreens}
    {...props}
    consequence="Events stop immediately, including pending deliveries."
  />
);
