import { Popover } from "@mantine/core";
import { useRef, type ReactNode, type RefObject } from "react";

import "@mantine/core/styles/Popover.css";
import { Anchor, useFocusBack } from "./anchored";
import classes from "./popover-panel.module.css";

export interface PopoverPanelProps {
  /** Of the panel, for the `aria-controls` of its button. */
  id: string;
  /** The accessible name of the panel. */
  label: string;
  button: RefObject<HTMLButtonElement | null>;
  /** The edge that it has in common with its button. */
  side: "start" | "end";
  /** A CSS length. */
  width: string;
  onClose: () => void;
  children: ReactNode;
}

/** What a button opens beside itself. Escape and a press elsewhere close it; open as long as it is rendered. */
export function PopoverPanel({ id, label, button, side, width, onClose, children }: PopoverPanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  useFocusBack(panel, button);
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
    >
      <Popover.Target>
        <Anchor of={button} />
      </Popover.Target>
      <Popover.Dropdown ref={panel} id={id} role="dialog" tabIndex={-1} aria-label={label}>
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}
