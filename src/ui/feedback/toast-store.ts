import { announce } from "./announcer";
import type { LinkTarget } from "../layout/link";

/** Where the thing can be seen. */
export interface ToastLink {
  readonly label: string;
  readonly target: LinkTarget;
}

/** Says that something worked, for six seconds; errors have places of their own (rule 6). */
export function toast(text: string, link?: ToastLink): void {
  import("./toasts").then(
    ({ showToast }) => showToast(text, link),
    () => announce(text),
  );
}
