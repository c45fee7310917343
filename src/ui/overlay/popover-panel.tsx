import { Popover } from "@mantine/core";
import { useRef, type KeyboardEvent, type ReactNode, type RefObject } from "react";

import "@mantine/core/styles/Popover.css";
import { Anchor, useFocusBack } from "./anchored";
import classes from "./popover-panel.module.css";

export interface PopoverPanelProps {
  /** id of the panel, for the `aria-controls` of its button. */
  id: string;
  /** The accessible name of the panel. */
  label: string;
  button: RefObject<HTMLButtonElement | null>;
  /** The edge that it shares with its button. */
  side: "start" | "end";
  /** A CSS length. */
  width: string;
  onClose: () => void;
  children: ReactNode;
}

/** A panel that opens at a button. Escape and a press outside close it; open while rendered. */
export function PopoverPanel({ id, label, button, side, width, onClose, children }: PopoverPanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  useFocusBack(panel, button);
  const dialog = button.current?.closest("dialog");
  const closeFirst = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !dialog) return;
    // The dialog stays open.
    event.preventDefault();
    event.stopPropagation();
    onClose();
  };
  return (
    <Popover
      opened
      withRoles={false}
      onChange={onClose}
      position={`bottom-${side}`}
      offset={4}
      width={width}
      floatingStrategy="fixed"
      trapFocus
      classNames={classes}
      // Outside of an open dialog, the panel would be hidden behind it.
      {...(dialog && { portalProps: { target: dialog } })}
    >
      <Popover.Target>
        <Anchor of={button} />
      </Popover.Target>
      <Popover.Dropdown
        ref={panel}
        id={id}
        role="dialog"
        tabIndex={-1}
        aria-label={label}
        onKeyDownCapture={closeFirst}
      >
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}
