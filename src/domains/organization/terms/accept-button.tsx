import { Button } from "@mantine/core";
import { useState, type ReactNode } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import { acceptTerms } from "platform-contract/iam/terms";
import "~/ui/controls/button-styles";
import { onDemand } from "~/ui/on-demand";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

import type { AcceptableDocument, AcceptDialogProps } from "./accept-dialog";

const AcceptDialog = onDemand<AcceptDialogProps>(async () => (await import("./accept-dialog")).AcceptDialog);

interface AcceptButtonProps {
  readonly group: string;
  readonly documents: readonly AcceptableDocument[];
  readonly compact?: boolean;
  readonly onAccepted?: () => void;
}

/** Opens the dialog that accepts documents. */
export function AcceptButton({
  group,
  documents,
  compact = false,
  onAccepted,
}: AcceptButtonProps): ReactNode {
  const refusal = useRefusal();
  const [open, setOpen] = useState(false);
  return (
    <>
      <DisabledReason reason={refusal(acceptTerms, group)}>
        <Button {...(compact && { size: "compact-sm" })} onClick={() => setOpen(true)}>
          Review and accept
        </Button>
      </DisabledReason>
      {open ? (
        <AcceptDialog
          group={group}
          documents={documents}
          onClose={() => setOpen(false)}
          onAccepted={onAccepted}
        />
      ) : null}
    </>
  );
}
