import { useLayoutEffect, useRef, type KeyboardEvent, type RefObject } from "react";

import { AppLink } from "./link";
import type { MenuAction } from "./menu";
import classes from "./menu.module.css";
import { placeMenu, stepTo } from "./menu-behaviour";

interface MenuListProps {
  id: string;
  label: string;
  actions: readonly MenuAction[];
  button: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

/**
 * The open menu: the browser's own popover, which lies above everything and brings no code along, with the keys of the
 * ARIA menu pattern. "manual", since an automatic one closes on the press of its own button, whose click opens it again.
 */
export function MenuList({ id, label, actions, button, onClose }: MenuListProps) {
  const menu = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;

  useLayoutEffect(() => {
    const [list, anchor] = [menu.current, button.current];
    if (!list || !anchor) return;
    list.showPopover();
    const { clientWidth: width, clientHeight: height } = document.documentElement;
    const at = placeMenu(anchor.getBoundingClientRect(), list.getBoundingClientRect(), { width, height });
    Object.assign(list.style, { left: `${at.left}px`, top: `${at.top}px` });
    list.querySelector<HTMLElement>("[role=menuitem]")?.focus({ preventScroll: true });

    const stop = new AbortController();
    const options = { signal: stop.signal, capture: true, passive: true };
    const elsewhere = ({ target }: Event) => {
      if (!list.contains(target as Node) && !anchor.contains(target as Node)) close.current();
    };
    // What it hangs on moves away, or somebody goes on elsewhere.
    for (const type of ["pointerdown", "focusin", "scroll"])
      document.addEventListener(type, elsewhere, options);
    window.addEventListener("resize", () => close.current(), options);
    return () => stop.abort();
  }, [button]);

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
