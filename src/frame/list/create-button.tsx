import type { ReactNode } from "react";

import { ActionButton } from "~/ui/controls/action-button";

import type { ListScreen } from "./list-screen";

interface CreateButtonProps {
  readonly list: Pick<ListScreen<never>, "createRefusal" | "open">;
  /** "Create role". */
  readonly children: string;
}

/** The primary action of a list: opens the form for a new record. */
export const CreateButton = ({ list, children }: CreateButtonProps): ReactNode => (
  <ActionButton reason={list.createRefusal} variant="filled" onClick={() => list.open("create")}>
    {children}
  </ActionButton>
);
