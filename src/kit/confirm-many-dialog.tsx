import { Button, Modal, TextInput } from "@mantine/core";
import { useState, type KeyboardEvent } from "react";

import "./button-styles";
import "./dialog-styles";
import "@mantine/core/styles/Input.css";
import "@mantine/core/styles/Modal.css";
import dialog from "./dialog.module.css";
import { dialogParts } from "./dialog-parts";
import { DisabledReason } from "./disabled-reason";
import { useHeldBack } from "./held-back";
import { HeldBackNotice } from "./held-back-notice";
import { Notice } from "./notice";
import { formatCount, formatQuantity } from "./numbers";
import { useReturnFocus } from "./return-focus";

interface ConfirmManyProps {
  /** In words: "identity", "identities". */
  one: string;
  many: string;
  /** Of what is deleted. */
  names: readonly string[];
  /** Why others that were selected are not: each reason once, with how many. */
  excluded: readonly { readonly reason: string; readonly count: number }[];
  /** What is lost with them, in one or two sentences. */
  consequence: string;
  /** Why none can be deleted now. */
  disabled?: string | undefined;
  onClose: () => void;
  onConfirm: () => void;
}

/** Names that are shown; and how many records need no more than a click. */
const SHOWN = 5;
const FEW = 10;

/** Asks before many records are deleted: which, what goes with them, and which are left out. */
export function ConfirmManyDialog(props: ConfirmManyProps) {
  const { one, many, names, excluded, consequence, onClose, onConfirm } = props;
  const [typed, setTyped] = useState("");
  const [pressed, setPressed] = useState<"delete" | "enter">();
  useReturnFocus(true);
  const heldBack = useHeldBack();
  const count = names.length;
  const quantity = formatQuantity(count, one, many);
  const left = excluded.reduce((sum, each) => sum + each.count, 0);
  const none = count === 0 ? "None of them may be deleted" : undefined;
  const disabled = none ?? props.disabled ?? heldBack?.reason;
  const typing = count > FEW;
  const unnumbered = typing && typed.replace(/\D/g, "") !== String(count);
  const confirm = () => (unnumbered ? setPressed("delete") : onConfirm());
  // Enter is pressed out of habit; deleting takes a click or Space.
  const noEnter = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    setPressed("enter");
  };
  const missing = unnumbered && pressed === "delete" ? `Type the number ${count} to delete.` : undefined;
  return (
    <Modal.Root opened onClose={onClose} size="28rem" centered returnFocus={false} classNames={dialogParts}>
      <Modal.Overlay />
      <Modal.Content>
        <div className={dialog["header"]}>
          <Modal.Title>Delete {quantity}?</Modal.Title>
        </div>
        <Modal.Body>
          {count > 0 ? (
            <>
              <ul className={dialog["names"]}>
                {names.slice(0, SHOWN).map((name, index) => (
                  <li key={index}>
                    <bdi>{name}</bdi>
                  </li>
                ))}
                {count > SHOWN ? <li>and {formatCount(count - SHOWN)} more</li> : null}
              </ul>
              <p>{consequence}</p>
            </>
          ) : null}
          {left > 0 ? (
            <Notice tone="warning" title={`${formatCount(left)} of those selected may not be deleted`}>
              <ul className={dialog["blockers"]}>
                {excluded.map(({ reason, count: times }) => (
                  <li key={reason}>
                    {formatCount(times)}: {reason}
                  </li>
                ))}
              </ul>
            </Notice>
          ) : null}
          {typing ? (
            <TextInput
              label={`Type the number ${count} to delete`}
              inputMode="numeric"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
            />
          ) : null}
          {heldBack ? <HeldBackNotice {...heldBack} /> : null}
          <p role="status" className={dialog["hint"]}>
            {pressed === "enter" ? "Press Space to delete." : missing}
          </p>
        </Modal.Body>
        <div className={dialog["footer"]}>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <DisabledReason reason={disabled}>
            <Button color="danger" onKeyDown={noEnter} onClick={confirm}>
              Delete {quantity}
            </Button>
          </DisabledReason>
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}
