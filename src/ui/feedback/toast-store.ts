import { announce } from "./announcer";
import type { LinkTarget } from "../layout/link";
import { beginUse } from "../on-first-interaction";
import { loadLayers } from "../overlay/load-layers";

/** What a toast offers: a link to the record, or something to do, such as "Undo". */
export type ToastOffer = { readonly label: string } & (
  | { readonly target: LinkTarget }
  | { readonly onSelect: () => void }
);

/** Confirms a success, or notes something, for six seconds, and a minute with something to do; errors have places of their own. */
export function toast(text: string, offer?: ToastOffer, tone: "success" | "info" = "success"): void {
  // Without it, one from before the first interaction would not be shown.
  beginUse();
  loadLayers().then(
    ({ showToast }) => showToast(text, offer, tone),
    () => announce(text),
  );
}
