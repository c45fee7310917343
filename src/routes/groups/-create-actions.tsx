import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { groups } from "~/contract/iam/groups";
import "~/kit/button-styles";
import { DisabledReason } from "~/kit/disabled-reason";

interface CreateActionsProps {
  /** uid of the group in which a folder would lie; undefined when it is not clear which. */
  readonly home: string | undefined;
  readonly onCreateFolder: () => void;
  readonly onCreateOrganization: () => void;
}

const NO_HOME = "A folder lies in another group: choose that under Scope, or use the menu of its row";

/** What the list creates: a folder where there is a place for it, else an organization; the other one stays at hand. */
export function CreateActions({ home, onCreateFolder, onCreateOrganization }: CreateActionsProps): ReactNode {
  const folder = useCan(groups.create, home ?? "").reason;
  const organization = useCan(groups.create, "").reason;
  const createFolder = (variant: "filled" | "default") => (
    <DisabledReason reason={home === undefined ? NO_HOME : folder}>
      <Button variant={variant} onClick={onCreateFolder}>
        Create folder
      </Button>
    </DisabledReason>
  );
  const createOrganization = (variant: "filled" | "default") => (
    <DisabledReason reason={organization}>
      <Button variant={variant} onClick={onCreateOrganization}>
        Create organization
      </Button>
    </DisabledReason>
  );
  return home === undefined ? (
    <>
      {createFolder("default")}
      {createOrganization("filled")}
    </>
  ) : (
    <>
      {createOrganization("default")}
      {createFolder("filled")}
    </>
  );
}
