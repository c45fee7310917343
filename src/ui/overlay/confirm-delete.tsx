import type { ReactNode } from "react";

import type { LinkTarget } from "../layout/link";
import { onDemand } from "../on-demand";

const Dialog = onDemand(async () => (await import("./confirm-delete-dialog")).ConfirmDeleteDialog);

/** Something that has to go first. */
export interface Blocker {
  /** Plural, in words: "identities". */
  readonly label: string;
  readonly count?: number | bigint | undefined;
  /** Where they are listed. */
  readonly link?: LinkTarget | undefined;
}

/** Why the server refused to delete, as far as the caller could find out. */
export interface Refusal {
  /** One sentence: "runtime still holds other records." */
  readonly message: string;
  readonly blockers?: readonly Blocker[];
  readonly requestId?: string | undefined;
}

export interface ConfirmDeleteProps {
  opened: boolean;
  onClose: () => void;
  /** "identity": for the title and the button. */
  kind: string;
  name: string;
  /** What is lost, in one sentence. */
  consequence: ReactNode;
  /** Beneath it: what else is affected, that one's own access goes. */
  children?: ReactNode;
  /** Asks for the name to be typed: for what takes other things with it. */
  typeName?: boolean;
  /** What is still being found out before it is known whether to ask for the name: "Its bindings are being counted". */
  undecided?: string | undefined;
  /** Why it is known that it cannot be deleted: "It is not empty". The name is not asked for then. */
  blocked?: string | undefined;
  /** Deletes. A rejection keeps the dialog open and is shown, by `refusal` where that is given. */
  onDelete: () => Promise<unknown>;
  /** After it is gone: close, say so, go elsewhere. */
  onDeleted: () => void;
  /** Explains the last rejection better than its message. */
  refusal?: Refusal | undefined;
}

/** Asks before deleting. The dialog's code comes with its first opening. */
export function ConfirmDelete(props: ConfirmDeleteProps) {
  return props.opened ? <Dialog {...props} /> : null;
}
