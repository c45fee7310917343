import { KebabHorizontalIcon } from "@primer/octicons-react";
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";

import { IconButton } from "./icon-button";
import type { LinkTarget } from "./link";
import { onDemand } from "./on-demand";
import classes from "./menu.module.css";

export interface MenuAction {
  readonly label: string;
  readonly icon?: ReactNode;
  /** What it does; the focus is back on the menu's button by then, so that a dialog can return it there. */
  readonly onSelect?: (() => void) | undefined;
  /** Instead of onSelect: a place to go to. */
  readonly link?: LinkTarget | undefined;
  /** Why it cannot be used: shown under the label, the item stays reachable. */
  readonly disabled?: string | undefined;
  /** Deletes something. Last in the menu. */
  readonly danger?: boolean | undefined;
}

/** Mantine's Menu is the largest part of a list's code and nobody needs it before the first click. */
const MenuList = onDemand(async () => (await import("./menu-list")).MenuList);

/**
 * Fetches the menu's code. A list does when the pointer or the focus enters it: early enough that nobody waits, and a
 * visit that only reads does not pay for it.
 */
export const preloadMenu = (): void => MenuList.preload();

interface ActionMenuProps {
  /** "Actions for ci-release". */
  label: string;
  /** Asked for when the menu opens, not for each row of a list. */
  actions: () => readonly MenuAction[];
  /** In place of the kebab: the content of a plain button. */
  trigger?: ReactNode;
  /** Above the items, not one of them. */
  header?: ReactNode;
  className?: string;
}

/** A button and the menu of actions that it opens. */
export function ActionMenu({ label, actions, trigger, header, className }: ActionMenuProps) {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const open = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    setOpened(true);
  };
  const control = {
    ref: button,
    "aria-haspopup": "menu" as const,
    "aria-expanded": opened,
    ...(opened ? { "aria-controls": `${id}-dropdown` } : {}),
    onClick: () => setOpened((now) => !now),
    onKeyDown: open,
    onPointerEnter: preloadMenu,
    onFocus: preloadMenu,
  };
  return (
    <>
      {trigger === undefined ? (
        <IconButton label={label} tip={false} {...(className ? { className } : {})} {...control}>
          <KebabHorizontalIcon size={16} />
        </IconButton>
      ) : (
        <button type="button" aria-label={label} className={className ?? classes["trigger"]} {...control}>
          {trigger}
        </button>
      )}
      {opened ? (
        <MenuList
          id={id}
          label={label}
          header={header}
          actions={actions()}
          button={button}
          onClose={() => setOpened(false)}
        />
      ) : null}
    </>
  );
}
