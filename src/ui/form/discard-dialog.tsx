import { Button } from "@mantine/core";

import "../controls/button-styles";
import { Dialog } from "../overlay/dialog";

interface DiscardDialogProps {
  onDiscard: () => void;
  onKeep: () => void;
}

/** Asks before unsaved changes are lost. Escape and the initially focused button keep them. */
export function DiscardDialog({ onDiscard, onKeep }: DiscardDialogProps) {
  return (
    <Dialog
      title="Discard changes?"
      size="24rem"
      zIndex={210}
      onClose={onKeep}
      footer={
        <>
          <Button variant="default" onClick={onKeep} data-autofocus>
            Keep editing
          </Button>
          <Button color="danger" onClick={onDiscard}>
            Discard changes
          </Button>
        </>
      }
    >
      <p>Your changes haven't been saved.</p>
    </Dialog>
  );
}
