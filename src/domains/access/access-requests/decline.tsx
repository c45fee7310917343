import { Button, Textarea } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { call } from "~/api/client/client";
import { declineAccessRequest, type AccessRequest } from "platform-contract/iam/access-requests";
import "~/ui/controls/button-styles";
import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";
import { toast } from "~/ui/feedback/toast-store";
import { Sheet } from "~/ui/overlay/sheet";

import { WAITING } from "./keys";

/** Asks for the reason, which the person who asked reads. */
export function Decline({
  request,
  onClose,
}: {
  readonly request: AccessRequest;
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  const [reason, setReason] = useState("");
  const [isMissing, setMissing] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      call(declineAccessRequest, { path: { uid: request.uid }, body: { reason: reason.trim() } }),
    onSuccess: () => {
      toast(`Declined the request of ${request.name}`);
      onClose();
    },
    // Also if someone else has answered meanwhile.
    onSettled: () => client.invalidateQueries({ queryKey: WAITING }),
  });
  const send = () => {
    setMissing(reason.trim() === "");
    if (reason.trim() !== "" && !isPending) mutate();
  };
  return (
    <Sheet
      title={`Decline the request of ${request.name}`}
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
        description="The person who asked reads it."
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
