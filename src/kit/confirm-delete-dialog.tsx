import { Button, Modal, TextInput } from "@mantine/core";
import { useRef, useState, type KeyboardEvent } from "react";

import "./button-styles";
import "./dialog-styles";
import "@mantine/core/styles/Input.css";
import "@mantine/core/styles/Modal.css";
import type { Blocker, ConfirmDeleteProps, Refusal } from "./confirm-delete";
import dialog from "./dialog.module.css";
import { dialogParts } from "./dialog-parts";
import { errorFacts } from "./error-facts";
import { AppLink } from "./link";
import { Notice } from "./notice";
import { formatCount } from "./numbers";
import { RequestId } from "./request-id";
import { useReturnFocus } from "./return-focus";

export function ConfirmDeleteDialog(props: ConfirmDeleteProps) {
  const {
    opened,
    onClose,
    kind,
    name,
    consequence,
    children,
    typeName = false,
    onDelete,
    onDeleted,
    refusal,
  } = props;
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<unknown>();
  const [deleting, setDeleting] = useState(false);
  const [hint, setHint] = useState<string>();
  const busy = useRef(false);
  useReturnFocus(opened);

  const close = () => {
    if (!busy.current) onClose();
  };
  const run = async () => {
    if (busy.current) return;
    if (typeName && typed.trim() !== name.trim()) {
      setHint(`Type ${name} to confirm.`);
      return;
    }
    busy.current = true;
    setDeleting(true);
    setError(undefined);
    setHint(undefined);
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
  // Enter is pressed out of habit; deleting takes a click or Space.
  const noEnter = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    setHint("Press Space to delete.");
  };
  const shown: Refusal | undefined = refusal ?? (error === undefined ? undefined : errorFacts(error));
  return (
    <Modal.Root
      opened={opened}
      onClose={close}
      size="28rem"
      centered
      returnFocus={false}
      classNames={dialogParts}
    >
      <Modal.Overlay />
      <Modal.Content>
        <div className={dialog["header"]}>
          <Modal.Title>
            Delete {kind} <bdi>{name}</bdi>?
          </Modal.Title>
        </div>
        <Modal.Body>
          <p>{consequence}</p>
          {children}
          {typeName ? (
            <TextInput
              label={`Type the name to confirm: ${name}`}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
              spellCheck={false}
            />
          ) : null}
          {shown ? <Refused {...shown} /> : null}
          <p role="status" className={dialog["hint"]}>
            {hint}
          </p>
        </Modal.Body>
        <div className={dialog["footer"]}>
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <Button
            color="danger"
            aria-disabled={deleting || undefined}
            onKeyDown={noEnter}
            onClick={() => void run()}
          >
            {deleting ? "Deleting…" : `Delete ${kind}`}
          </Button>
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}

function Refused({ message, blockers = [], requestId }: Refusal) {
  return (
    <Notice tone="warning" role="alert" title="Nothing was deleted">
      <p>{message}</p>
      {blockers.length > 0 ? (
        <ul className={dialog["blockers"]}>
          {blockers.map((blocker) => (
            <li key={blocker.label}>
              <BlockerText {...blocker} />
            </li>
          ))}
        </ul>
      ) : null}
      {requestId ? <RequestId value={requestId} /> : null}
    </Notice>
  );
}

function BlockerText({ label, count, link }: Blocker) {
  const text = count === undefined ? label : `${formatCount(count)} ${label}`;
  return link ? <AppLink target={link}>{text}</AppLink> : text;
}
