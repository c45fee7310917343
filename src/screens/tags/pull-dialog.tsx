import { Button, Modal } from "@mantine/core";
import type { ReactNode } from "react";

import "@mantine/core/styles/Modal.css";
import type { Tag } from "~/contract/registry/tags";
import "~/ui/controls/button-styles";
import "~/ui/overlay/dialog-styles";
import dialog from "~/ui/overlay/dialog.module.css";
import { dialogParts } from "~/ui/overlay/dialog-parts";
import { useReturnFocus } from "~/ui/overlay/return-focus";

import { tagScreens } from "./data";
import { PullCommand } from "./pull-command";

interface PullDialogProps {
  readonly tag: Tag;
  readonly onClose: () => void;
}

/** Dialog with the pull command of a tag. */
export function PullDialog({ tag, onClose }: PullDialogProps): ReactNode {
  useReturnFocus(true);
  return (
    <Modal.Root opened onClose={onClose} size="52rem" centered returnFocus={false} classNames={dialogParts}>
      <Modal.Overlay />
      <Modal.Content>
        <div className={dialog["header"]}>
          <Modal.Title>
            Pull <bdi>{tagScreens.nameOf(tag)}</bdi>
          </Modal.Title>
        </div>
        <Modal.Body>
          <PullCommand tag={tag} />
        </Modal.Body>
        <div className={dialog["footer"]}>
          <Button variant="default" onClick={onClose} data-autofocus>
            Close
          </Button>
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}
