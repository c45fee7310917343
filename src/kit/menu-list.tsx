import { useRef, type KeyboardEvent, type RefObject } from "react";

import { AppLink } from "./link";
import type { MenuAction } from "./menu";
import classes from "./menu.module.css";
import { stepTo } from "./menu-behaviour";
import { useAnchored } from "./use-anchored";

interface MenuListProps {
  id: string;
  label: string;
  actions: readonly MenuAction[];
  button: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

/**
 * The open menu: the browser's own popover, which lies above everything and brings no code along, with the keys of the
 * ARIA menu pattern.
 */
export function MenuList({ id, label, actions, button, onClose }: MenuListProps) {
  const menu = useRef<HTMLDivElement>(null);
  useAnchored(menu, button, "[role=menuitem]", onClose);

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      // A drawer around it would take the same Escape as its own.
      event.stopPropagation();
      button.current?.focus();
      return onClose();
    }
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=menuitem]")];
    const next = stepTo(items, event);
    if (!next) return undefined;
    event.preventDefault();
    return next.focus();
  };
  const select = (action: MenuAction) => {
    if (action.disabled !== undefined) return;
    button.current?.focus({ preventScroll: true });
    onClose();
    action.onSelect?.();
  };

  return (
    <div
      ref={menu}
      id={id}
      popover="manual"
      role="menu"
      aria-label={label}
      className={classes["menu"]}
      onKeyDown={onKeyDown}
    >
      {actions.map((action) => (
        <Item key={action.label} action={action} onSelect={() => select(action)} />
      ))}
    </div>
  );
}

function Item({ action, onSelect }: { action: MenuAction; onSelect: () => void }) {
  const { label, icon, link, disabled, danger } = action;
  const shared = {
    role: "menuitem",
    tabIndex: -1,
    className: classes["item"],
    "data-danger": danger || undefined,
    onClick: onSelect,
  };
  const content = (
    <>
      {icon}
      <span>
        {label}
        {disabled === undefined ? null : <span className={classes["reason"]}>{disabled}</span>}
      </span>
    </>
  );
  if (link && disabled === undefined)
    return (
      <AppLink {...shared} target={link}>
        {content}
      </AppLink>
    );
  return (
    <button type="button" {...shared} aria-disabled={disabled === undefined ? undefined : true}>
      {content}
    </button>
  );
}
