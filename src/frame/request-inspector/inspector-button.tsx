import { TerminalIcon } from "lucide-react";
import type { ReactNode } from "react";

import { IconButton } from "~/ui/controls/icon-button";
import { onDemand } from "~/ui/on-demand";

import { requestsAction, showInspector, useInspector } from "./record-actions";

const BehindSheet = onDemand(async () => (await import("./inspector-sheet")).InspectorSheet);

/** In the syntax of `aria-keyshortcuts`, also for the tooltip; handled by the shell's shortcuts. */
const KEYS = "Alt+Shift+R";

/** Opens the requests behind any screen, and renders the sheet for these and for raw records. */
export function InspectorButton(): ReactNode {
  const shown = useInspector();
  return (
    <>
      <IconButton
        label="Show requests"
        tip={`Show requests (${KEYS})`}
        aria-keyshortcuts={KEYS}
        aria-haspopup="dialog"
        onPointerEnter={BehindSheet.preload}
        onFocus={BehindSheet.preload}
        onClick={requestsAction.onSelect}
      >
        <TerminalIcon size={16} />
      </IconButton>
      {shown ? <BehindSheet behind={shown} onClose={() => showInspector(undefined)} /> : null}
    </>
  );
}
