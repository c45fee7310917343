import type { ReactNode } from "react";

import type { LinkTarget } from "../layout/link";
import { onDemand } from "../on-demand";
import { loadLayers } from "./load-layers";

const Dialog = onDemand(async () => (await loadLayers()).ConfirmDeleteDialog);

/** Records that must be deleted first. */
export interface Blocker {
  /** Plural, in words: "identities". */
  readonly label: string;
  readonly count?: number | bigint | undefined;
  /** The list that shows them. */
  readonly link?: LinkTarget | undefined;
}

/** Why the server refused to delete, as far as known. */
export interface DeletionRefusal {
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
  /** In place of "Delete identity ci?", for what people don't call deleting; and the word of the button. */
  title?: ReactNode;
  verb?: { readonly act: string; readonly acting: string } | undefined;
  /** What is lost, in one sentence. */
  consequence: ReactNode;
  /** Below it: what else is affected, such as the user's own access. */
  children?: ReactNode;
  /** The user must type the name: for records that take others with them. */
  typeName?: boolean;
  /** Why it is not yet known whether to ask for the name: "Its bindings are being counted". */
  undecided?: string | undefined;
  /** Why it certainly cannot be deleted: "It is not empty". The dialog does not ask for the name then. */
  blocked?: string | undefined;
  /** Deletes. If it rejects, the dialog stays open and shows the error, or `refusal` if set. */
  onDelete: () => Promise<unknown>;
  /** Called after the deletion: must close, confirm and navigate. */
  onDeleted: () => void;
  /** Explains the last rejection better than its message. */
  refusal?: DeletionRefusal | undefined;
}

/** Asks before deleting. The dialog's code loads when it first opens. */
export function ConfirmDelete(props: ConfirmDeleteProps) {
  return props.opened ? <Dialog {...props} /> : null;
}
