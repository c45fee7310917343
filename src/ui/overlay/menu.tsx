import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";

import { firstUse } from "../on-first-interaction";
import { IconButton } from "../controls/icon-button";
import type { LinkTarget } from "../layout/link";
import { onDemand } from "../on-demand";
import { loadLayers } from "./load-layers";

/** Loaded on the first interaction with the page, for all menus, so that a click finds it ready. */
export const MenuList = onDemand(async () => (await loadLayers()).MenuList);

export interface MenuAction {
  readonly label: string;
  readonly icon?: ReactNode;
  /** Called with the focus back on the menu's button, so that a dialog can return it there. */
  readonly onSelect?: (() => void) | undefined;
  /** Instead of onSelect: a link. */
  readonly link?: LinkTarget | undefined;
  /** Why it is disabled: shown under the label; the item stays reachable. */
  readonly disabled?: string | undefined;
  /** One of several choices, of which one is in force. */
  readonly checked?: boolean | undefined;
  /** Deletes something. Last in the menu. */
  readonly danger?: boolean | undefined;
}

/** The last entry of a record's menu. */
export const deleteAction = (
  label: string,
  onSelect: () => void,
  disabled: string | undefined,
): MenuAction => ({
  label,
  onSelect,
  disabled,
  danger: true,
});

interface ActionMenuProps {
  /** "Actions for ci-release". */
  label: string;
  /** Called when the menu opens, not for each row of a list. */
  actions: () => readonly MenuAction[];
}

/** A button and the menu of actions that it opens. */
export function ActionMenu({ label, actions }: ActionMenuProps) {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => void firstUse().then(MenuList.preload), []);
  const open = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    setOpened(true);
  };
  return (
    <>
      <IconButton
        ref={button}
        id={id}
        label={label}
        tip={false}
        className="pc-dots"
        aria-haspopup="menu"
        aria-expanded={opened}
        aria-controls={opened ? `${id}-dropdown` : undefined}
        onClick={() => setOpened((now) => !now)}
        onKeyDown={open}
      />
      {opened ? (
        <MenuList id={id} actions={actions()} button={button} onClose={() => setOpened(false)} />
      ) : null}
    </>
  );
}
