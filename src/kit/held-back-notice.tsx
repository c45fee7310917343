import { Button } from "@mantine/core";

import "./button-styles";
import type { HeldBack } from "./held-back";
import { Notice } from "./notice";

/** In a dialog, over which the shell's own banner cannot be reached. */
export function HeldBackNotice({ reason, tryNow }: HeldBack) {
  return (
    <Notice
      tone="warning"
      role="status"
      actions={
        <Button variant="default" onClick={tryNow}>
          Try now
        </Button>
      }
    >
      {reason}
    </Notice>
  );
}
