import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { groups } from "~/contract/iam/groups";
import { ActionButton } from "~/ui/controls/action-button";

interface CreateActionsProps {
  /** uid of the parent of a new folder; undefined until one is chosen. */
  readonly home: string | undefined;
  readonly onCreateFolder: () => void;
  readonly onCreateOrganization: () => void;
}

const NO_HOME = "Choose an organization or folder under Scope, or use its row menu";

/** Highlights "Create folder" if its parent is known. The buttons never swap places, since the parent can load late. */
export function CreateActions({ home, onCreateFolder, onCreateOrganization }: CreateActionsProps): ReactNode {
  const folder = useCan(groups.create, home ?? "").reason;
  const organization = useCan(groups.create, "").reason;
  return (
    <>
      <ActionButton
        reason={organization}
        variant={home === undefined ? "filled" : "default"}
        onClick={onCreateOrganization}
      >
        Create organization
      </ActionButton>
      <ActionButton
        reason={home === undefined ? NO_HOME : folder}
        variant={home === undefined ? "default" : "filled"}
        onClick={onCreateFolder}
      >
        Create folder
      </ActionButton>
    </>
  );
}
