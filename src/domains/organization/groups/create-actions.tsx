import type { ReactNode } from "react";

import { useCan } from "~/frame/permissions/use-can";
import { groups } from "platform-contract/iam/groups";
import { ActionButton } from "~/ui/controls/action-button";

interface CreateProps {
  /** uid of the parent of a new folder; undefined until one is chosen. */
  readonly home: string | undefined;
  readonly onCreate: () => void;
}

const NO_HOME = "Choose an organization or folder under Scope, or use its row menu";

/** The buttons of the list of groups never swap places, since the parent can load late; the likelier one is filled. */
export function CreateOrganization({ home, onCreate }: CreateProps): ReactNode {
  const { reason } = useCan(groups.create, "");
  return (
    <ActionButton reason={reason} variant={home === undefined ? "filled" : "default"} onClick={onCreate}>
      Create organization
    </ActionButton>
  );
}

export function CreateFolder({ home, onCreate }: CreateProps): ReactNode {
  const { reason } = useCan(groups.create, home ?? "");
  return (
    <ActionButton
      reason={home === undefined ? NO_HOME : reason}
      variant={home === undefined ? "default" : "filled"}
      onClick={onCreate}
    >
      Create folder
    </ActionButton>
  );
}
