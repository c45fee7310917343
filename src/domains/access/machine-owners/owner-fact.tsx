import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import { identityLink } from "~/frame/record/identity-link";
import { useRefusal } from "~/frame/permissions/use-can";
import { GroupLink } from "~/frame/scope/group-link";
import { parentOf } from "platform-contract/aip";
import { setMachineOwner } from "platform-contract/iam/notices";
import "~/ui/controls/button-styles";
import { errorFacts } from "~/ui/feedback/error-facts";
import { AppLink } from "~/ui/layout/link";
import { DisabledReason } from "~/ui/overlay/disabled-reason";
import { LoadingCell, UnknownCell } from "~/ui/table/cell-states";

import classes from "./styles.module.css";
import { ownerNameOf, useMachineOwner } from "./data";

interface OwnerFactProps {
  /** uid of the machine. */
  readonly machine: string;
  /** Opens the form that changes it. */
  readonly onChange: () => void;
}

/** Who answers for a machine and is told before its keys and roles end. */
export function OwnerFact({ machine, onChange }: OwnerFactProps): ReactNode {
  const { known, owner, error } = useMachineOwner(machine);
  const refused = useRefusal()(setMachineOwner, machine);
  if (error && !known) return <UnknownCell why={errorFacts(error).message} />;
  if (!known) return <LoadingCell />;
  return (
    <span className={classes["owner"]}>
      {owner?.ownerUid ? (
        <AppLink target={identityLink(owner.ownerUid)}>
          <bdi>{ownerNameOf(owner)}</bdi>
        </AppLink>
      ) : (
        <span>
          The owners of <GroupLink uid={parentOf(machine)} />
        </span>
      )}
      <DisabledReason reason={refused}>
        <Button variant="default" size="compact-sm" aria-label="Change owner" onClick={onChange}>
          Change
        </Button>
      </DisabledReason>
    </span>
  );
}
