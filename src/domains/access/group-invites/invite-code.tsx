import { Button } from "@mantine/core";
import { useState, type ReactNode } from "react";

import type { GroupInvite } from "platform-contract/iam/group-invites";
import "~/ui/controls/button-styles";
import { Time } from "~/ui/display/time";
import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";
import { onDemand } from "~/ui/on-demand";
import { Secret, ShownOnce } from "~/ui/overlay/shown-once";

import { linkOf } from "./data";
import classes from "./qr.module.css";

const QrCode = onDemand(async () => (await import("./qr-code")).QrCode, <div className={classes["qr"]} />);

interface InviteCodeProps {
  /** The response to its creation. */
  readonly invite: GroupInvite;
  /** The error from revoking the invite that this one replaces. */
  readonly left?: unknown;
  readonly onRevoke?: (() => Promise<void>) | undefined;
  readonly onClose: () => void;
}

/** Shows the link of a new invite. It can't be shown again. */
export function InviteCode({ invite, left, onRevoke, onClose }: InviteCodeProps): ReactNode {
  const { code } = invite;
  const queued = invite.emailState === "EMAIL_STATE_QUEUED";
  return (
    <ShownOnce
      title="Invite created"
      copied={code === undefined || queued ? undefined : "I've copied it"}
      onClose={onClose}
    >
      {left === undefined ? null : <StillThere left={left} onRevoke={onRevoke} />}
      {code === undefined ? (
        <Notice tone="warning" title="The link was lost">
          The invite was created, but the response with its link didn't arrive. Re-issue it to get a new link.
        </Notice>
      ) : (
        <>
          {queued ? (
            <p>
              The mail to <bdi>{invite.email}</bdi> is queued. The invite's page shows when the mail server
              has accepted it.
            </p>
          ) : null}
          <p>
            {queued
              ? "You can also send the link yourself."
              : invite.email
                ? `Send this link to ${invite.email}.`
                : invite.singleUse
                  ? "The first person with this link can join."
                  : "Anyone with this link can join."}{" "}
            It's shown once and works until it expires (
            <Time value={invite.expirationTime} />
            ).
          </p>
          <Secret label="Link" value={linkOf(code)} what="link" />
          <Secret label="Code" value={code} what="code" />
          <QrCode text={linkOf(code)} />
        </>
      )}
    </ShownOnce>
  );
}

/** The half of a re-issue that failed. */
function StillThere({ left, onRevoke }: Pick<InviteCodeProps, "left" | "onRevoke">): ReactNode {
  const [trying, setTrying] = useState(false);
  const again = (
    <Button
      variant="default"
      loading={trying}
      onClick={() => {
        setTrying(true);
        void onRevoke?.().finally(() => setTrying(false));
      }}
    >
      Revoke the old invite
    </Button>
  );
  return (
    <Notice tone="warning" role="alert" title="The old link still works" actions={again}>
      The new invite was created, but the old one couldn't be revoked. {errorFacts(left).message}
    </Notice>
  );
}
