import { useParams, useRouteContext, useSearch } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { useState, type ReactNode } from "react";

import "~/ui/controls/button-styles";

import { depthOf, parentOf } from "platform-contract/aip";
import { PENDING } from "platform-contract/events/pending";
import type { Subscription } from "platform-contract/events/subscriptions";
import { placeFact } from "~/frame/scope/group-link";
import { paramToUid } from "~/frame/scope/uid-param";
import { onDemand } from "~/ui/on-demand";
import { RecordScreen } from "~/frame/record/record-screen";
import { Code } from "~/ui/display/code";
import { DefinitionList } from "~/ui/display/definition-list";
import { formatCount } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";

import { subscriptionScreens } from "./data";
import { Deliveries } from "./deliveries";
import { DELIVERIES, TYPE_PREFIX, useHasDeliveries } from "./deliveries-data";
import { EventTypes } from "./event-types";
import classes from "./styles.module.css";
import { SubscriptionTabs } from "./tabs";

const CheckRequest = onDemand(async () => (await import("./check-request")).CheckRequest);

const RETRIES = `If the URL doesn't accept an event, it is sent again for ${PENDING.hours} hours, at growing intervals. Up to ${formatCount(PENDING.events)} events can wait; beyond that, new events are dropped.`;

const TYPES = `In requests, ${TYPE_PREFIX} stands before each type.`;

/** Shows one subscription: its URL, what a receiver must verify, and the event types; or its deliveries. */
export function SubscriptionPage(): ReactNode {
  const uid = paramToUid(useParams({ strict: false }).uid ?? "");
  const tab = useSearch({ strict: false, select: (search) => String(search["tab"]) });
  const hasDeliveries = useHasDeliveries();
  if (tab === DELIVERIES && hasDeliveries) return <Deliveries key={uid} uid={uid} />;
  return (
    <RecordScreen of={subscriptionScreens} tabs={(of) => <SubscriptionTabs uid={of} current="Overview" />}>
      {(subscription) => {
        const group = parentOf(subscription.uid);
        return (
          <>
            <DefinitionList
              items={[
                { term: "URL", value: <Code value={subscription.sink ?? ""} what="URL" />, wide: true },
                placeFact(group),
                { term: "Created", value: <Time value={subscription.createTime} /> },
                { term: "Retries", value: RETRIES, wide: true },
              ]}
            />
            <Signature of={subscription} />
            <Section
              title="Event types"
              description={
                depthOf(group) > 1
                  ? `Receives the events of this folder and everything below it, except those sent only to the organization. ${TYPES}`
                  : `Receives the events of the whole organization. ${TYPES}`
              }
            >
              <div className={classes["room"]}>
                <EventTypes group={group} />
              </div>
            </Section>
          </>
        );
      }}
    </RecordScreen>
  );
}

/** Documents the claims of the token in each request, for authors of receivers. */
function Signature({ of: { uid } }: { readonly of: Subscription }): ReactNode {
  const { oidc } = useRouteContext({ from: "__root__" }).config;
  const [checking, setChecking] = useState(false);
  return (
    <Section
      title="Signature"
      description="Each request carries a token signed by this platform. Accept it only if these claims match and webhook.digest is sha256: followed by the SHA-256 of the body in hex."
      actions={
        <Button variant="default" onPointerEnter={CheckRequest.preload} onClick={() => setChecking(true)}>
          Check a request
        </Button>
      }
    >
      {checking ? <CheckRequest uid={uid} onClose={() => setChecking(false)} /> : null}
      <DefinitionList
        items={[
          { term: "Issuer (iss)", value: <Code value={oidc.authority} what="issuer" /> },
          { term: "Audience (aud)", value: <Code value="customer" what="audience" /> },
          {
            term: "Subject (sub)",
            value: <Code value={`webhook:${parentOf(uid)}`} what="subject" />,
            wide: true,
          },
        ]}
      />
    </Section>
  );
}
