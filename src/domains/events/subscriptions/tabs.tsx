import type { ReactNode } from "react";

import { Tabs } from "~/ui/layout/tabs";

import { DELIVERIES, subscriptionTab, useHasDeliveries } from "./deliveries-data";

interface SubscriptionTabsProps {
  readonly uid: string;
  readonly current: "Overview" | "Deliveries";
}

/** Navigation between the tabs of a subscription's page; nothing if the service does not tell of deliveries. */
export const SubscriptionTabs = ({ uid, current }: SubscriptionTabsProps): ReactNode =>
  useHasDeliveries() ? (
    <Tabs
      label="Event subscription pages"
      tabs={[
        { label: "Overview", link: subscriptionTab(uid) },
        { label: "Deliveries", link: subscriptionTab(uid, DELIVERIES) },
      ]}
      current={current}
    />
  ) : null;
