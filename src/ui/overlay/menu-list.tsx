import { Menu } from "@mantine/core";
import { useRef, type KeyboardEvent, type ReactNode, type RefObject } from "react";

import "@mantine/core/styles/UnstyledButton.css";
import "@mantine/core/styles/Popover.css";
import "@mantine/core/styles/Menu.css";
import { Anchor, useFocusBack } from "./anchored";
import { AppLink } from "../layout/link";
import type { MenuAction } from "./menu";
import classes from "./menu.module.css";

interface MenuListProps {
  /** id of the button, which also labels the menu; the menu is `${id}-dropdown`. */
  id: string;
  actions: readonly MenuAction[];
  button: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

/** The open menu. */
export function MenuList({ id, actions, button, onClose }: MenuListProps) {
  const menu = useRef<HTMLDivElement>(null);
  useFocusBack(menu, button);
  // A menu is one Tab stop (ARIA Authoring Practices): the next Tab continues from its button.
  const leave = (event: KeyboardEvent) => {
    if (event.key !== "Tab") return;
    event.preventDefault();
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
      classNames={classes}
    >
      <Menu.Target>
        <Anchor of={button} />
      </Menu.Target>
      <Menu.Dropdown ref={menu} onKeyDown={leave}>
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
  const shared = {
    "aria-current": checked || undefined,
    leftSection: icon,
    "data-autofocus": first || undefined,
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
