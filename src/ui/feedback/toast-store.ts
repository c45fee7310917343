import { announce } from "./announcer";
import type { LinkTarget } from "../layout/link";

/** Link to the record. */
export interface ToastLink {
  readonly label: string;
  readonly target: LinkTarget;
}

/** Confirms a success, for six seconds; errors have places of their own (rule 6). */
export function toast(text: string, link?: ToastLink): void {
  import("./toasts").then(
    ({ showToast }) => showToast(text, link),
    () => announce(text),
  );
}
