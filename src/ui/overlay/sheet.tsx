import { XIcon } from "lucide-react";
import { useId, useLayoutEffect, useRef, type ReactNode } from "react";

import { Announcer } from "../feedback/announcer";
import { IconButton } from "../controls/icon-button";
import { useReturnFocus } from "./return-focus";
import classes from "./sheet.module.css";

interface SheetProps {
  title: ReactNode;
  onClose: () => void;
  /**
   * "side": full height, at the end of the window, to read next to the page; "centre": for an ongoing process; "bottom":
   * on phones, within reach of the thumb.
   */
  at: "side" | "centre" | "bottom";
  children: ReactNode;
  /** Buttons. */
  footer?: ReactNode;
}

/** A native dialog: keeps the focus inside and the page inert. Open while rendered. */
export function Sheet({ title, onClose, at, children, footer }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useReturnFocus(true);
  useLayoutEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
    (dialog.current?.querySelector<HTMLElement>("[data-autofocus]") ?? heading.current)?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={classes["sheet"]}
      data-at={at}
      aria-labelledby={id}
      onClose={onClose}
      // A click on the backdrop targets the dialog itself. It must not end an ongoing process.
      onClick={({ target, currentTarget }) => at !== "centre" && target === currentTarget && onClose()}
    >
      <div className={classes["content"]}>
        <div className={classes["header"]}>
          <h2 ref={heading} id={id} tabIndex={-1} className={classes["title"]}>
            {title}
          </h2>
          <IconButton label="Close" tip={false} onClick={onClose}>
            <XIcon size={16} />
          </IconButton>
        </div>
        <div className={classes["body"]}>{children}</div>
        {footer ? <div className={classes["footer"]}>{footer}</div> : null}
      </div>
      <Announcer />
    </dialog>
  );
}
