import { Button } from "@mantine/core";

import "../controls/button-styles";
import type { WritesPaused } from "./writes-paused";
import { Notice } from "./notice";

/** In a dialog, from which the shell's banner is out of reach. Not a live region: the banner is still announced. */
export function WritesPausedNotice({ reason, tryNow }: WritesPaused) {
  return (
    <Notice
      tone="warning"
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
