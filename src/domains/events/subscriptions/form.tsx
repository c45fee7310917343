import type { ReactNode } from "react";
import { useFormContext, useWatch } from "react-hook-form";

import {
  subscriptions,
  type Subscription,
  type SubscriptionInput,
} from "platform-contract/events/subscriptions";
import type { FormProps } from "~/frame/form/drawers";
import { ParentGroupField } from "~/frame/form/parent-group-field";
import { useRecordForm } from "~/frame/form/use-record-form";
import { Disclosure } from "~/ui/form/disclosure";
import { TextField } from "~/ui/form/fields";
import { FormDrawer } from "~/ui/form/form-drawer";

import { subscriptionScreens } from "./data";
import { EventTypes } from "./event-types";

const valuesOf = (record: Subscription | undefined) => ({ sink: record?.sink ?? "" });
const bodyOf = ({ sink }: ReturnType<typeof valuesOf>): SubscriptionInput => ({ sink: sink.trim() });

/** Creates a subscription. Subscriptions cannot be edited. */
export function SubscriptionForm(props: FormProps<Subscription>): ReactNode {
  const drawer = useRecordForm(subscriptionScreens, { ...props, values: valuesOf, body: bodyOf });
  return (
    <FormDrawer {...drawer}>
      <ParentGroupField scope={props.scope} />
      <SinkField />
      <Types />
    </FormDrawer>
  );
}

/** Shows where events will be sent as the user types. */
function SinkField(): ReactNode {
  const typed = useWatch<{ sink: string }, "sink">({ name: "sink" }).trim();
  const host = subscriptions.request.safeParse({ sink: typed }).success ? new URL(typed).host : undefined;
  return (
    <TextField
      name="sink"
      label="URL"
      type="url"
      required
      code
      placeholder="https://hooks.example.com/platform"
      hint={
        host === undefined ? (
          "Where events are posted: a public https:// address, unless the platform's operator allows others."
        ) : (
          <>
            Events are sent to <bdi>{host}</bdi>. The first event is the creation of this subscription.
          </>
        )
      }
    />
  );
}

function Types(): ReactNode {
  const { control } = useFormContext<{ parent: string }>();
  const group = useWatch({ control, name: "parent" });
  return (
    <Disclosure title="Event types">
      <EventTypes group={group} />
    </Disclosure>
  );
}
