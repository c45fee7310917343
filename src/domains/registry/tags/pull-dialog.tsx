import type { ReactNode } from "react";

import type { Tag } from "platform-contract/registry/tags";
import { Dialog } from "~/ui/overlay/dialog";

import { tagScreens } from "./data";
import { PullCommand } from "./pull-command";

interface PullDialogProps {
  readonly tag: Tag;
  readonly onClose: () => void;
}

/** Dialog with the pull command of a tag. */
export function PullDialog({ tag, onClose }: PullDialogProps): ReactNode {
  return (
    <Dialog
      title={
        <>
          Pull <bdi>{tagScreens.nameOf(tag)}</bdi>
        </>
      }
      size="52rem"
      onClose={onClose}
    >
      <PullCommand tag={tag} />
    </Dialog>
  );
}
