import { Button } from "@mantine/core";

import "../controls/button-styles";
import { Notice } from "../feedback/notice";
import type { RestoredDraft } from "./use-resource-form";

interface DraftRestoredProps extends RestoredDraft {
  /** Fields that no draft keeps. */
  secrets: readonly string[];
}

/** Says that the form is not empty because an earlier visit filled it, and offers to start over. */
export function DraftRestored({ discard, secrets }: DraftRestoredProps) {
  return (
    <Notice
      title="Draft restored"
      role="status"
      actions={
        <Button variant="default" size="compact-sm" onClick={discard}>
          Discard draft
        </Button>
      }
    >
      {secrets.length > 0
        ? "What you typed before is back, except secrets, which are never kept."
        : "What you typed before is back."}
    </Notice>
  );
}
