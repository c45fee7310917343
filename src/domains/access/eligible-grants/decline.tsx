import { Button, Textarea } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { useState, type ReactNode } from "react";

import { declineEligibleGrant, type EligibleGrant } from "platform-contract/iam/eligible-grants";
import "~/ui/controls/button-styles";
import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";
import { Sheet } from "~/ui/overlay/sheet";

import { personOf } from "./data";
import { useDeed } from "./use-deed";

interface DeclineProps {
  readonly grant: EligibleGrant;
  readonly onClose: () => void;
}

/** Asks for the reason, which the person who asked reads. */
export function Decline({ grant, onClose }: DeclineProps): ReactNode {
  const name = personOf(grant);
  const [reason, setReason] = useState("");
  const [isMissing, setMissing] = useState(false);
  const { mutate, isPending, error } = useDeed(
    declineEligibleGrant,
    () => `Declined the request of ${name}`,
    onClose,
  );
  const send = () => {
    setMissing(reason.trim() === "");
    if (reason.trim() !== "" && !isPending) mutate({ uid: grant.uid, body: { reason: reason.trim() } });
  };
  return (
    <Sheet
      title={`Decline the request of ${name}`}
      onClose={onClose}
      at="centre"
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={isPending} onClick={send}>
            Decline
          </Button>
        </>
      }
    >
      <Textarea
        data-autofocus
        label="Reason"
        description="Shown to the person who asked. Kept in the audit log."
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        error={isMissing ? "Say why, in a sentence" : undefined}
        maxLength={500}
        rows={3}
        dir="auto"
      />
      {error ? (
        <Notice tone="danger" role="alert" title="The request wasn't declined">
          {errorFacts(error).message}
        </Notice>
      ) : null}
    </Sheet>
  );
}
