import { useId, useRef, useState, type ReactNode } from "react";

import { Popover } from "~/ui/overlay/popover";

import styles from "./header.module.css";

/** A header button and the panel that it opens. Renders the content only while the panel is open. */
export function HeaderPopover(props: {
  /** The accessible name of the panel. */
  readonly label: string;
  /** The accessible name of the button, if its content is not enough. */
  readonly title?: string;
  readonly button: ReactNode;
  readonly side: "start" | "end";
  /** Called when the pointer or the focus reaches the button, to prefetch what the panel needs. */
  readonly onNear?: () => void;
  /** Whether it is open and how to change that, if something else opens it too. */
  readonly opened?: readonly [open: boolean, setOpen: (open: boolean) => void];
  /** `close` is for links: the panel would cover the screen they open. */
  readonly children: (close: () => void) => ReactNode;
}): ReactNode {
  const { label, title, button: shown, side, onNear, children } = props;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const own = useState(false);
  const [open, setOpen] = props.opened ?? own;
  const close = () => setOpen(false);
  const near = () => {
    Popover.preload();
    onNear?.();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles["control"]}
        aria-expanded={open}
        aria-haspopup="dialog"
        aria-controls={open ? id : undefined}
        aria-label={title}
        onPointerEnter={near}
        onFocus={near}
        onClick={() => setOpen(!open)}
      >
        {shown}
      </button>
      {open ? (
        <Popover id={id} label={label} button={button} side={side} width="22rem" onClose={close}>
          {children(close)}
        </Popover>
      ) : null}
    </>
  );
}
