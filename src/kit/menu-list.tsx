import { Menu } from "@mantine/core";
import "@mantine/core/styles/UnstyledButton.css";
import "@mantine/core/styles/Popover.css";
import "@mantine/core/styles/Menu.css";
import { useLayoutEffect, type ReactNode, type Ref, type RefObject } from "react";

import { AppLink } from "./link";
import type { MenuAction } from "./menu";
import classes from "./menu.module.css";

interface MenuListProps {
  id: string;
  label: string;
  header?: ReactNode;
  actions: readonly MenuAction[];
  button: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

/** The open menu. Loaded on first use, and so made after its button: the button is handed to it as the anchor. */
export function MenuList({ id, label, header, actions, button, onClose }: MenuListProps) {
  const select = (action: MenuAction) => {
    button.current?.focus({ preventScroll: true });
    onClose();
    action.onSelect?.();
  };
  return (
    <Menu
      id={id}
      opened
      onClose={onClose}
      position="bottom-end"
      offset={4}
      returnFocus={false}
      transitionProps={{ duration: 0 }}
      closeOnItemClick={false}
      closeOnEscape={false}
      withInitialFocusPlaceholder={false}
      trapFocus={false}
    >
      <Menu.Target>
        <Anchor to={button} />
      </Menu.Target>
      <Menu.Dropdown
        ref={focusFirst}
        className={classes["dropdown"]}
        aria-label={label}
        onKeyDown={(event) => {
          if (event.key === "Escape" || event.key === "Tab") {
            event.preventDefault();
            button.current?.focus();
            onClose();
          }
        }}
      >
        {header ? <div className={classes["header"]}>{header}</div> : null}
        {actions.map((action) => (
          <Item key={action.label} action={action} onSelect={select} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** At once: Mantine's trap focuses a moment later, and twice, under whoever types on. */
const focusFirst = (dropdown: HTMLElement | null) =>
  dropdown?.querySelector<HTMLElement>("[role=menuitem]")?.focus({ preventScroll: true });

function Item({ action, onSelect }: { action: MenuAction; onSelect: (action: MenuAction) => void }) {
  const { label, icon, link, disabled, danger } = action;
  const shared = {
    className: classes["item"],
    leftSection: icon,
    "data-danger": danger || undefined,
    "aria-disabled": disabled === undefined ? undefined : true,
  };
  const content = (
    <>
      {label}
      {disabled === undefined ? null : <span className={classes["reason"]}>{disabled}</span>}
    </>
  );
  if (link && disabled === undefined) {
    return (
      <Menu.Item {...shared} component={AppLink} target={link} onClick={() => onSelect(action)}>
        {content}
      </Menu.Item>
    );
  }
  return (
    <Menu.Item {...shared} onClick={() => (disabled === undefined ? onSelect(action) : undefined)}>
      {content}
    </Menu.Item>
  );
}

/** Gives Mantine the button as the element to stand at, without rendering anything. */
function Anchor({ to, ref }: { to: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement> }) {
  useLayoutEffect(() => {
    if (typeof ref === "function") ref(to.current);
    else if (ref) ref.current = to.current;
  }, [ref, to]);
  return null;
}
