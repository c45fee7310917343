import { Button, TextInput } from "@mantine/core";
import { useRef, useState } from "react";

import "../controls/button-styles";
import "@mantine/core/styles/Input.css";
import { Dialog } from "./dialog";
import type { Blocker, ConfirmDeleteProps, DeletionRefusal } from "./confirm-delete";
import dialog from "./dialog.module.css";
import { announceRetry, useSecondsLeft, Wait, waitText } from "../feedback/countdown";
import { DisabledReason } from "./disabled-reason";
import { ErrorDetails } from "../feedback/error-details";
import { errorFacts, type ErrorFacts } from "../feedback/error-facts";
import { useWritesPaused } from "../feedback/writes-paused";
import { WritesPausedNotice } from "../feedback/writes-paused-notice";
import { AppLink } from "../layout/link";
import { Notice } from "../feedback/notice";
import { formatCount } from "../display/numbers";
import { typeable } from "./typeable";

/** Names longer than this many characters get a scrolling box. */
const LONG_NAME_CHARS = 200;

export function ConfirmDeleteDialog(props: ConfirmDeleteProps) {
  const {
    opened,
    onClose,
    kind,
    name,
    title,
    verb = { act: `Delete ${kind}`, acting: "Deleting" },
    consequence,
    children,
    typeName = false,
    undecided,
    blocked,
    onDelete,
    onDeleted,
    refusal,
  } = props;
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<unknown>();
  const [deleting, setDeleting] = useState(false);
  const [pressed, setPressed] = useState(false);
  const busy = useRef(false);
  const facts = error === undefined ? undefined : errorFacts(error);
  const heldBack = useWritesPaused();
  const wait = useSecondsLeft(facts?.retryAt, announceRetry);
  const waiting = wait > 0 ? `Rate limited. Try again in ${waitText(wait)}.` : undefined;
  const reason = blocked ?? heldBack?.reason ?? waiting ?? undecided;
  const asksName = typeName && undecided === undefined && blocked === undefined;
  const unnamed = asksName && typeable(typed) !== typeable(name);

  const close = () => {
    if (!busy.current) onClose();
  };
  const run = async () => {
    if (busy.current || reason !== undefined) return;
    if (unnamed) return setPressed(true);
    busy.current = true;
    setDeleting(true);
    setError(undefined);
    setPressed(false);
    try {
      await onDelete();
      busy.current = false;
      onDeleted();
    } catch (reason) {
      setError(reason ?? new Error());
    } finally {
      busy.current = false;
      setDeleting(false);
    }
  };
  // The request can change while the dialog is open, so the hint follows the current one.
  const missing = unnamed && pressed ? `Type ${name} to confirm.` : undefined;
  const shown: DeletionRefusal | undefined = refusal ?? facts;
  return (
    <Dialog
      title={
        title ?? (
          <>
            Delete {kind} <bdi>{name}</bdi>?
          </>
        )
      }
      size="28rem"
      opened={opened}
      onClose={close}
      footer={
        <>
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <DisabledReason reason={reason}>
            <Button color="danger" aria-disabled={deleting || undefined} onClick={() => void run()}>
              {deleting ? `${verb.acting}\u2026` : verb.act}
            </Button>
          </DisabledReason>
        </>
      }
    >
      {consequence ? <p>{consequence}</p> : null}
      {children}
      {asksName ? (
        <TextInput
          label={
            <>
              Type the name to confirm:{" "}
              <bdi className={name.length > LONG_NAME_CHARS ? dialog["name"] : undefined}>{name}</bdi>
            </>
          }
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
      ) : null}
      {heldBack ? <WritesPausedNotice {...heldBack} /> : null}
      {shown ? <Refused {...facts} {...shown} unknown={facts?.outcome === "unknown"} wait={wait} /> : null}
      <p role="status" className={dialog["hint"]}>
        {missing}
      </p>
    </Dialog>
  );
}

interface RefusedProps extends DeletionRefusal, Pick<ErrorFacts, "code" | "reason" | "domain"> {
  /** True if the outcome is unknown. */
  unknown: boolean;
  /** Seconds until the next attempt is allowed. */
  wait: number;
}

function Refused({ message, blockers = [], requestId, code, reason, domain, unknown, wait }: RefusedProps) {
  return (
    <Notice
      tone="warning"
      role="alert"
      title={unknown ? "We couldn't confirm whether this was deleted" : "Nothing was deleted"}
    >
      <p>{message}</p>
      {wait > 0 ? (
        <p>
          Rate limited. Try again in <Wait seconds={wait} />.
        </p>
      ) : null}
      {blockers.length > 0 ? (
        <ul className={dialog["blockers"]}>
          {blockers.map((blocker) => (
            <li key={blocker.label}>
              <BlockerText {...blocker} />
            </li>
          ))}
        </ul>
      ) : null}
      <ErrorDetails message={message} code={code} reason={reason} domain={domain} requestId={requestId} />
    </Notice>
  );
}

function BlockerText({ label, count, link }: Blocker) {
  const text = count === undefined ? label : `${formatCount(count)} ${label}`;
  return link ? <AppLink target={link}>{text}</AppLink> : text;
}
