import { Button } from "@mantine/core";
import { useState, type ReactNode } from "react";

import { rootOf } from "platform-contract/aip";
import { getAuditEntry } from "platform-contract/audit/entries";
import { useRefusal } from "~/frame/permissions/use-can";
import "~/ui/controls/button-styles";
import { onDemand } from "~/ui/on-demand";
import { DisabledReason } from "~/ui/overlay/disabled-reason";
import type { MenuAction } from "~/ui/overlay/menu";

import type { ProofSubject } from "~/frame/proof/ask";
import { useHasAuditLog } from "../log/use-audit-log";

const ProofDialog = onDemand(async () => (await import("./dialog")).ProofDialog);

const LABEL = "Make proof…";

/** The action that makes a proof, and its dialog; none if the service has no audit log. */
export function useProof(
  subject: Omit<ProofSubject, "organization"> & { readonly organization: string | undefined },
): { readonly actions: readonly MenuAction[]; readonly dialog: ReactNode } {
  const { organization } = subject;
  const has = useHasAuditLog();
  const refusal = useRefusal();
  const [isOpen, setOpen] = useState(false);
  if (!has) return { actions: [], dialog: null };
  const disabled =
    organization === undefined
      ? "Choose an organization first: each has a log of its own"
      : refusal(getAuditEntry, rootOf(organization)) === undefined
        ? undefined
        : "A proof needs the organization's whole audit log: you need permission to view role bindings there";
  return {
    actions: [{ label: LABEL, disabled, onSelect: () => setOpen(true) }],
    dialog:
      isOpen && organization !== undefined ? (
        <ProofDialog
          subject={{ ...subject, organization: rootOf(organization) }}
          onClose={() => setOpen(false)}
        />
      ) : null,
  };
}

interface ProofButtonProps {
  readonly subject: ProofSubject;
  readonly size?: "compact-sm";
}

/** The same as a button; nothing if the service has no audit log. */
export function ProofButton({ subject, size }: ProofButtonProps): ReactNode {
  const {
    actions: [action],
    dialog,
  } = useProof(subject);
  if (!action) return null;
  return (
    <>
      <DisabledReason reason={action.disabled}>
        <Button variant="default" onClick={action.onSelect} {...(size && { size })}>
          {action.label}
        </Button>
      </DisabledReason>
      {dialog}
    </>
  );
}
