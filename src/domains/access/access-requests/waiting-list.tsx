import { Button, Textarea } from "@mantine/core";
import { useState, type ReactNode } from "react";
import "@mantine/core/styles/Input.css";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import { type AccessRequest, declineAccessRequest } from "platform-contract/iam/access-requests";
import { AppliesTo } from "~/domains/access/grants/applies-to";
import { grantLink } from "~/domains/access/grants/links";
import { GroupLink } from "~/frame/scope/group-link";
import { ActionButton } from "~/ui/controls/action-button";
import "~/ui/controls/button-styles";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { AppLink } from "~/ui/layout/link";
import { call, takesJustifications } from "~/api/client/client";
import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";
import { toast } from "~/ui/feedback/toast-store";
import { Sheet } from "~/ui/overlay/sheet";

import { RolesNow } from "./roles-now";
import classes from "./styles.module.css";
import { WAITING } from "./keys";

/** Asks for the reason, which the person who asked reads. */
function Decline({ request, onClose }: { readonly request: AccessRequest; readonly onClose: () => void }) {
  const client = useQueryClient();
  const [reason, setReason] = useState("");
  const [isMissing, setMissing] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      call(declineAccessRequest, {
        path: { uid: request.uid },
        body: { reason: reason.trim() },
        justification: reason,
      }),
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
        description={`Shown to the person who asked.${takesJustifications() ? " Kept in the audit log." : ""}`}
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

interface WaitingListProps {
  readonly requests: readonly AccessRequest[];
  readonly total: number | bigint | undefined;
}

/** The access requests that the user can answer. */
export function WaitingList({ requests, total }: WaitingListProps): ReactNode {
  const [declined, setDeclined] = useState<AccessRequest>();
  return (
    <Section
      title="Access requests"
      count={total}
      description="People asking for access. Only grant it to people you know."
    >
      <ul className={classes["list"]}>
        {requests.map((request) => (
          <Waiting key={request.uid} request={request} onDecline={() => setDeclined(request)} />
        ))}
      </ul>
      {declined ? <Decline request={declined} onClose={() => setDeclined(undefined)} /> : null}
    </Section>
  );
}

const emailOf = ({ email, emailUnverified }: AccessRequest): string | undefined => email ?? emailUnverified;

interface RequestProps {
  readonly request: AccessRequest;
  readonly onDecline: () => void;
}

function Waiting({ request, onDecline }: RequestProps): ReactNode {
  const { name, identityUid, groupUid = "", message, createTime } = request;
  const email = emailOf(request);
  return (
    <li aria-label={`Request of ${name}`}>
      <div className={classes["who"]}>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        {email ? (
          <span className={classes["quiet"]}>
            <bdi>{email}</bdi>
            {request.email === undefined ? " (from their account here; not verified)" : ""}
          </span>
        ) : null}
        <span className={classes["quiet"]}>
          for <GroupLink uid={groupUid} />, <Time value={createTime} />
        </span>
      </div>
      {message ? (
        <p className={classes["message"]} dir="auto">
          {message}
        </p>
      ) : null}
      {identityUid === undefined ? null : <RolesNow identity={identityUid} group={groupUid} />}
      <AppliesTo group={groupUid} what="A role granted there" />
      <div className={classes["deeds"]}>
        <Button
          variant="default"
          component={AppLink}
          target={grantLink({ identity: identityUid, group: groupUid })}
        >
          Grant access
        </Button>
        <ActionButton reason={undefined} onClick={onDecline}>
          Decline
        </ActionButton>
      </div>
    </li>
  );
}
