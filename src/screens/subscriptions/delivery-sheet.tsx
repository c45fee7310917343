import { useMutation } from "@tanstack/react-query";
import { useRef, type ReactNode } from "react";

import { useRefusal } from "~/access/use-can";
import { callOnce } from "~/api/mutations/call-once";
import { resendDelivery, type EventDelivery } from "~/contract/events/deliveries";
import { ActionButton } from "~/ui/controls/action-button";
import { Code } from "~/ui/display/code";
import { DefinitionList } from "~/ui/display/definition-list";
import { FactTable } from "~/ui/display/fact-table";
import { formatCount } from "~/ui/display/numbers";
import { State } from "~/ui/display/state";
import { Time } from "~/ui/display/time";
import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";
import { toast } from "~/ui/feedback/toast-store";
import { AppLink } from "~/ui/layout/link";
import { Sheet } from "~/ui/overlay/sheet";

import { aboutLink, attemptWords, meaningOf, stateWords } from "./deliveries-data";
import classes from "./styles.module.css";

interface DeliverySheetProps {
  readonly subscription: string;
  /** Undefined if it is not among the rows. */
  readonly delivery: EventDelivery | undefined;
  /** True while the rows are loading. */
  readonly loading: boolean;
  /** Called after it was sent again. */
  readonly onSent: () => void;
  readonly onClose: () => void;
}

/** Shows one delivery with its attempts, and sends it again. */
export function DeliverySheet(props: DeliverySheetProps): ReactNode {
  const { subscription: uid, delivery, loading, onSent, onClose } = props;
  const refusal = useRefusal();
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
      toast("The event is on its way again");
    },
    onSettled: onSent,
  });
  if (delivery === undefined)
    return (
      <Sheet title="Delivery" at="side" onClose={onClose}>
        {loading
          ? "Loading…"
          : "This delivery isn't among the rows of the list. It may have become too old to be kept."}
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
      {error ? (
        <Notice tone="danger" role="alert" title="The event wasn't sent again">
          {errorFacts(error).message}
        </Notice>
      ) : null}
      <Facts of={delivery} />
      <Attempts of={delivery} />
    </Sheet>
  );
}

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
          : [{ term: "Next attempt, at the earliest", value: <Time value={nextTime} /> }]),
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
          {formatCount(more)} more, which are no longer kept or just under way.
        </p>
      ) : null}
    </>
  );
}
