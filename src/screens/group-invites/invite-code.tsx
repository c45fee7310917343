import { Button, Checkbox, Modal } from "@mantine/core";
import { useState, type ReactNode } from "react";

import "@mantine/core/styles/InlineInput.css";
import "@mantine/core/styles/Checkbox.css";
import "@mantine/core/styles/Modal.css";
import type { GroupInvite } from "~/contract/iam/group-invites";
import "~/ui/controls/button-styles";
import { CopyButton } from "~/ui/display/copy-button";
import { Time } from "~/ui/display/time";
import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";
import { onDemand } from "~/ui/on-demand";
import "~/ui/overlay/dialog-styles";
import dialog from "~/ui/overlay/dialog.module.css";
import { dialogParts } from "~/ui/overlay/dialog-parts";
import { useReturnFocus } from "~/ui/overlay/return-focus";

import { linkOf } from "./data";
import classes from "./styles.module.css";

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
  const [copied, setCopied] = useState(false);
  useReturnFocus(true);
  const queued = invite.emailState === "EMAIL_STATE_QUEUED";
  const closable = copied || queued || code === undefined;
  return (
    <Modal.Root
      opened
      onClose={onClose}
      closeOnEscape={closable}
      closeOnClickOutside={false}
      size="34rem"
      centered
      returnFocus={false}
      classNames={dialogParts}
    >
      <Modal.Overlay />
      <Modal.Content>
        <div className={dialog["header"]}>
          <Modal.Title>Invite created</Modal.Title>
        </div>
        <Modal.Body>
          {left === undefined ? null : <StillThere left={left} onRevoke={onRevoke} />}
          {code === undefined ? (
            <Notice tone="warning" title="The link was lost">
              The invite was created, but the response with its link didn't arrive. Re-issue it to get a new
              link.
            </Notice>
          ) : (
            <>
              {queued ? (
                <p>
                  The mail to <bdi>{invite.email}</bdi> is queued. The invite's page says when the mail server
                  has taken it.
                </p>
              ) : null}
              <p>
                {queued
                  ? "You can also send the link yourself."
                  : "Send this link to the person you're inviting."}{" "}
                It's shown once and works until it expires (
                <Time value={invite.expirationTime} />
                ).
              </p>
              <Secret label="Link" value={linkOf(code)} />
              <Secret label="Code" value={code} />
              <QrCode text={linkOf(code)} />
              {queued ? null : (
                <Checkbox
                  checked={copied}
                  onChange={(event) => setCopied(event.currentTarget.checked)}
                  label="I've copied it"
                />
              )}
            </>
          )}
        </Modal.Body>
        <div className={dialog["footer"]}>
          <Button disabled={!closable} onClick={onClose}>
            Done
          </Button>
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}

const Secret = ({ label, value }: { readonly label: string; readonly value: string }): ReactNode => (
  <div>
    <span className={classes["label"]}>{label}</span>
    <div className={classes["secret"]}>
      <code>{value}</code>
      <CopyButton value={value} what={label.toLowerCase()} />
    </div>
  </div>
);

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
