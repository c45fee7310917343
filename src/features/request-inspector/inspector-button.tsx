import { TerminalIcon } from "lucide-react";
import { useEffect, useSyncExternalStore, type ReactNode } from "react";

import { IconButton } from "~/ui/controls/icon-button";
import { onDemand } from "~/ui/on-demand";

import { currentInspector, showInspector, subscribeInspector } from "./record-actions";

const BehindSheet = onDemand(async () => (await import("./inspector-sheet")).InspectorSheet);

/** In the words of `aria-keyshortcuts`, and on the tooltip. */
const KEYS = "Alt+Shift+R";

const show = (): void => showInspector({ show: "requests" });

/** Opens the requests behind any screen, by a click or its keys; and the place where they and raw records are shown. */
export function InspectorButton(): ReactNode {
  const shown = useSyncExternalStore(subscribeInspector, currentInspector);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { altKey, shiftKey, ctrlKey, metaKey, code } = event;
      if (!altKey || !shiftKey || ctrlKey || metaKey || code !== "KeyR") return;
      // Over a form it would take part in the form's own Escape.
      if (document.querySelector("dialog[open], [aria-modal=true]")) return;
      event.preventDefault();
      show();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
  return (
    <>
      <IconButton
        label="Show requests"
        tip={`Show requests (${KEYS})`}
        aria-keyshortcuts={KEYS}
        aria-haspopup="dialog"
        onPointerEnter={BehindSheet.preload}
        onFocus={BehindSheet.preload}
        onClick={show}
      >
        <TerminalIcon size={16} />
      </IconButton>
      {shown ? <BehindSheet behind={shown} onClose={() => showInspector(undefined)} /> : null}
    </>
  );
}
