import { useId, useRef, useState, type ReactNode } from "react";

import styles from "./header.module.css";

/**
 * A button of the header and the panel that it opens. The browser's own popover: Escape and a click elsewhere close it,
 * it lies above everything, and it brings no code along. The content is rendered while the panel is open only.
 */
export function HeaderPopover(props: {
  /** The accessible name of the panel. */
  readonly label: string;
  /** The accessible name of the button, when what it shows does not say it. */
  readonly title?: string;
  readonly button: ReactNode;
  readonly side: "start" | "end";
  /** The pointer or the focus is on the button: time to fetch what the panel needs. */
  readonly onNear?: () => void;
  /** `close` is for links, which lead to a screen that the panel would cover. */
  readonly children: (close: () => void) => ReactNode;
}): ReactNode {
  const { label, title, button, side, onNear, children } = props;
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={styles["control"]}
        popoverTarget={id}
        aria-expanded={open}
        aria-haspopup="dialog"
        aria-label={title}
        onPointerEnter={onNear}
        onFocus={onNear}
      >
        {button}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        tabIndex={-1}
        className={[styles["panel"], styles[side]].join(" ")}
        onToggle={(event) => {
          const opened = event.newState === "open";
          setOpen(opened);
          if (opened) panel.current?.focus();
        }}
      >
        {open && children(() => panel.current?.hidePopover())}
      </div>
    </>
  );
}
