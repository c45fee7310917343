import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState, type ReactNode } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import { callOnce } from "~/api/mutations/call-once";
import { resendDelivery, type EventDelivery } from "platform-contract/events/deliveries";
import { useNow } from "~/ui/clock";
import { ActionButton } from "~/ui/controls/action-button";
import { Code } from "~/ui/display/code";
import { DefinitionList } from "~/ui/display/definition-list";
import { FactTable } from "~/ui/display/fact-table";
import { formatCount } from "~/ui/display/numbers";
import { State } from "~/ui/display/state";
import { Time } from "~/ui/display/time";
import { FailedPart } from "~/ui/feedback/failed-part";
import { toast } from "~/ui/feedback/toast-store";
import { AppLink } from "~/ui/layout/link";
import { Sheet } from "~/ui/overlay/sheet";

import {
  aboutLink,
  attemptWords,
  deliveryQuery,
  meaningOf,
  ONE_AT_A_TIME,
  stateWords,
} from "./deliveries-data";
import { NotSent } from "./not-sent";
import classes from "./styles.module.css";

interface DeliverySheetProps {
  readonly subscription: string;
  /** uid of the delivery. */
  readonly delivery: string;
  /** Undefined if it is not among the rows: filters leave it out, or it is on another page. */
  readonly row: EventDelivery | undefined;
  /** True while the rows are loading. */
  readonly loading: boolean;
  /** Called after it was sent again. */
  readonly onSent: () => void;
  readonly onClose: () => void;
}

/** Shows one delivery with its attempts, and sends it again. */
export function DeliverySheet(props: DeliverySheetProps): ReactNode {
  const { subscription: uid, onSent, onClose } = props;
  const client = useQueryClient();
  const refusal = useRefusal();
  const { delivery, unread, refetch } = useDelivery(props);
  const press = useRef<string>(undefined);
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ uid: id }: EventDelivery) =>
      callOnce(
        resendDelivery,
        { path: { uid }, body: { delivery: id } },
        (press.current ??= crypto.randomUUID()),
      ),
    onSuccess: () => {
      press.current = undefined;
      toast("The event is being sent again");
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: deliveryQuery(uid, props.delivery).queryKey });
      onSent();
    },
  });
  const failed = unread ? (
    <FailedPart title="The delivery couldn't be loaded" error={unread} onRetry={() => void refetch()} />
  ) : null;
  if (!delivery)
    return (
      <Sheet title="Delivery" at="side" onClose={onClose}>
        {delivery === null
          ? "This subscription has no such delivery. It may have become too old to be kept."
          : unread
            ? failed
            : "Loading…"}
      </Sheet>
    );
  return (
    <Sheet
      title="Delivery"
      at="side"
      onClose={onClose}
      footer={
        <ActionButton
          reason={refusal(resendDelivery, uid)}
          variant="filled"
          onClick={() => isPending || mutate(delivery)}
        >
          {delivery.endTime === undefined ? "Send now" : "Send again"}
        </ActionButton>
      }
    >
      {failed}
      {error ? <NotSent what="event" error={error} /> : null}
      <Facts of={delivery} />
      <Attempts of={delivery} />
    </Sheet>
  );
}

/** The delivery as its row says, or else as the service does; until that has answered, as its row was. */
function useDelivery({ subscription, delivery, row, loading }: DeliverySheetProps) {
  const [known, setKnown] = useState(row);
  if (row !== undefined && row !== known) setKnown(row);
  const { data, error, refetch } = useQuery({
    ...deliveryQuery(subscription, delivery),
    enabled: row === undefined && !loading,
  });
  return {
    delivery: row ?? (data === undefined ? known : data),
    unread: row === undefined ? error : null,
    refetch,
  };
}

/** A time that is over says only that a worker has not come to it yet. */
const Due = ({ value }: { readonly value: string }): ReactNode =>
  Date.parse(value) > useNow(1) ? <Time value={value} /> : `Due now. ${ONE_AT_A_TIME}`;

interface OfDelivery {
  readonly of: EventDelivery;
}

function Facts({ of: delivery }: OfDelivery): ReactNode {
  const { uid, type, subject, createTime, nextTime, endTime } = delivery;
  const { word, tone } = stateWords(delivery);
  const link = aboutLink(delivery);
  const meaning = meaningOf(type);
  return (
    <DefinitionList
      items={[
        { term: "State", value: <State tone={tone}>{word}</State> },
        ...(meaning === undefined ? [] : [{ term: "What happened", value: meaning, wide: true }]),
        { term: "Event type (Ce-Type)", value: <Code value={type} what="event type" />, wide: true },
        {
          term: "About (Ce-Subject)",
          value: subject && (
            <>
              <Code value={subject} what="subject" />
              {link === undefined ? null : <AppLink target={link}>Open record</AppLink>}
            </>
          ),
          wide: true,
        },
        { term: "Id (Ce-Id)", value: <Code value={uid} what="event id" />, wide: true },
        { term: "Created", value: <Time value={createTime} /> },
        ...(nextTime === undefined
          ? []
          : [{ term: "Next attempt, at the earliest", value: <Due value={nextTime} /> }]),
        ...(endTime === undefined ? [] : [{ term: "Ended", value: <Time value={endTime} /> }]),
      ]}
    />
  );
}

function Attempts({ of: { attempts = [], attemptCount = 0 } }: OfDelivery): ReactNode {
  if (attempts.length === 0) return <p className={classes["quiet"]}>Not tried yet.</p>;
  const more = attemptCount - attempts.length;
  return (
    <>
      <FactTable
        caption="Attempts"
        head={["Attempt", "Result", "Took"]}
        rows={attempts
          .toReversed()
          .map((attempt) => [
            <Time key="time" value={attempt.time} />,
            attemptWords(attempt),
            attempt.milliseconds === undefined ? undefined : `${formatCount(attempt.milliseconds)} ms`,
          ])}
      />
      {more > 0 ? (
        <p className={classes["quiet"]}>
          {formatCount(more)} more, which are no longer kept or still in progress.
        </p>
      ) : null}
    </>
  );
}
