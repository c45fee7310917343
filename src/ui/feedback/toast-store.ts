import { announce } from "./announcer";
import type { LinkTarget } from "../layout/link";
import { beginUse } from "../on-first-interaction";
import { loadLayers } from "../overlay/load-layers";

/** Link to the record. */
export interface ToastLink {
  readonly label: string;
  readonly target: LinkTarget;
}

/** Confirms a success, or notes something, for six seconds; errors have places of their own. */
export function toast(text: string, link?: ToastLink, tone: "success" | "info" = "success"): void {
  // Without it, one from before the first interaction would not be shown.
  beginUse();
  loadLayers().then(
    ({ showToast }) => showToast(text, link, tone),
    () => announce(text),
  );
}
