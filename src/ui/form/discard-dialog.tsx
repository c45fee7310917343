import { Button, Modal } from "@mantine/core";

import "../controls/button-styles";
import "../overlay/dialog-styles";
import "@mantine/core/styles/Modal.css";
import dialog from "../overlay/dialog.module.css";
import { dialogParts } from "../overlay/dialog-parts";
import { useReturnFocus } from "../overlay/return-focus";

interface DiscardDialogProps {
  onDiscard: () => void;
  onKeep: () => void;
}

/** Asks before unsaved changes are lost. Escape and the initially focused button keep them. */
export function DiscardDialog({ onDiscard, onKeep }: DiscardDialogProps) {
  useReturnFocus(true);
  return (
    <Modal.Root
      opened
      onClose={onKeep}
      size="24rem"
      centered
      zIndex={210}
      returnFocus={false}
      classNames={dialogParts}
    >
      <Modal.Overlay />
      <Modal.Content>
        <div className={dialog["header"]}>
          <Modal.Title>Discard changes?</Modal.Title>
        </div>
        <Modal.Body>
          <p>Your changes haven't been saved.</p>
        </Modal.Body>
        <div className={dialog["footer"]}>
          <Button variant="default" onClick={onKeep} data-autofocus>
            Keep editing
          </Button>
          <Button color="danger" onClick={onDiscard}>
            Discard changes
          </Button>
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}
