import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { groups } from "~/contract/iam/groups";
import "~/kit/button-styles";
import { DisabledReason } from "~/kit/disabled-reason";
import { ActionMenu } from "~/kit/menu";

interface CreateActionsProps {
  /** uid of the chosen group. */
  readonly scope: string | undefined;
  readonly onOpen: (drawer: "create" | "create-organization") => void;
}

/** What the list's one primary action creates: a folder in the scope, or an organization where there is none. */
export function CreateActions({ scope, onOpen }: CreateActionsProps): ReactNode {
  const folder = useCan(groups.create, scope ?? "").reason;
  const organization = useCan(groups.create, "").reason;
  const createOrganization = () => onOpen("create-organization");
  return (
    <>
      <ActionMenu
        label="More ways to create"
        actions={() => [
          scope === undefined
            ? {
                label: "Create folder",
                disabled: "Choose under Scope where it should lie, or use the menu of a row",
              }
            : { label: "Create organization", onSelect: createOrganization, disabled: organization },
        ]}
      />
      {scope === undefined ? (
        <DisabledReason reason={organization}>
          <Button onClick={createOrganization}>Create organization</Button>
        </DisabledReason>
      ) : (
        <DisabledReason reason={folder}>
          <Button onClick={() => onOpen("create")}>Create folder</Button>
        </DisabledReason>
      )}
    </>
  );
}
