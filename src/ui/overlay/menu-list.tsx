import { Menu } from "@mantine/core";
import { useLayoutEffect, useRef, type KeyboardEvent, type ReactNode, type RefObject } from "react";

import "@mantine/core/styles/UnstyledButton.css";
import "@mantine/core/styles/Popover.css";
import "@mantine/core/styles/Menu.css";
import { Anchor, useFocusBack } from "./anchored";
import { AppLink } from "../layout/link";
import type { MenuAction } from "./menu";
import classes from "./menu.module.css";

interface MenuListProps {
  /** id of the button, or of another element that labels the menu; the menu is `${id}-dropdown`. */
  id: string;
  actions: readonly MenuAction[];
  button: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** The open menu. */
export function MenuList({ id, actions, button, onClose }: MenuListProps) {
  const menu = useRef<HTMLDivElement>(null);
  useFocusBack(menu, button);
  const dialog = button.current?.closest("dialog");
  // A menu is one Tab stop (ARIA Authoring Practices): the next Tab continues from its button.
  const leave = (event: KeyboardEvent) => {
    // Escape closes the menu, and leaves the dialog around its button open.
    if (event.key !== "Tab" && !(event.key === "Escape" && dialog)) return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  };
  const select = ({ disabled, onSelect }: MenuAction) => {
    if (disabled !== undefined) return;
    button.current?.focus({ preventScroll: true });
    onClose();
    onSelect?.();
  };
  return (
    <Menu
      id={id}
      opened
      onChange={onClose}
      position="bottom-end"
      offset={4}
      floatingStrategy="fixed"
      withInitialFocusPlaceholder={false}
      // It would focus the first item by a timer, perhaps after the next key.
      trapFocus={false}
      classNames={classes}
      // Outside of an open dialog, the menu would be hidden behind it.
      {...(dialog && { portalProps: { target: dialog } })}
    >
      <Menu.Target>
        <Anchor of={button} />
      </Menu.Target>
      <Menu.Dropdown ref={menu} onKeyDownCapture={leave}>
        {actions.map((action, index) => (
          <Item key={action.label} action={action} first={index === 0} onSelect={() => select(action)} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface ItemProps {
  action: MenuAction;
  first: boolean;
  onSelect: () => void;
}

function Item({ action, first, onSelect }: ItemProps): ReactNode {
  const { label, icon, link, disabled, danger, checked } = action;
  const item = useRef<HTMLButtonElement & HTMLAnchorElement>(null);
  useLayoutEffect(() => {
    if (first) item.current?.focus({ preventScroll: true });
  }, [first]);
  const shared = {
    ref: item,
    "aria-current": checked || undefined,
    leftSection: icon,
    "data-danger": danger || undefined,
    closeMenuOnClick: false,
    onClick: onSelect,
  };
  if (link && disabled === undefined)
    return (
      <Menu.Item {...shared} component={AppLink} target={link}>
        {label}
      </Menu.Item>
    );
  // Not Mantine's `disabled`, which the arrow keys skip: the user must be able to read the reason.
  return (
    <Menu.Item {...shared} aria-disabled={disabled === undefined ? undefined : true}>
      {label}
      {disabled === undefined ? null : <span className={classes["reason"]}>{disabled}</span>}
    </Menu.Item>
  );
}
