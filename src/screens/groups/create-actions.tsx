import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { groups } from "~/contract/iam/groups";
import { ActionButton } from "~/ui/controls/action-button";

interface CreateActionsProps {
  /** uid of the group in which a folder would lie; undefined when it is not clear which. */
  readonly home: string | undefined;
  readonly onCreateFolder: () => void;
  readonly onCreateOrganization: () => void;
}

const NO_HOME = "A folder lies in another group: choose that under Scope, or use the menu of its row";

/**
 * What the list creates: a folder where there is a place for it, else an organization; the other one stays at hand. Where
 * each stands never changes: whether there is a place may turn out while somebody reaches for one.
 */
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
