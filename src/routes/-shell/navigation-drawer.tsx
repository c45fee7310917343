import { XIcon } from "@primer/octicons-react";
import { useEffect, useRef, type ReactNode } from "react";

import { IconButton } from "~/kit/icon-button";

import { Navigation } from "./navigation";
import styles from "./shell.module.css";

/** The navigation where there is no room beside the page: the browser's own dialog keeps the focus inside. */
export function NavigationDrawer({
  open,
  onClose,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      className={styles["drawer"]}
      aria-label="Navigation"
      onClose={onClose}
      // A click outside of its content is one on the dialog itself, at its backdrop.
      onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      {open && (
        <>
          <div className={styles["drawerHead"]}>
            <span>Navigation</span>
            <IconButton label="Close navigation" onClick={onClose}>
              <XIcon size={16} />
            </IconButton>
          </div>
          <div className={styles["drawerBody"]}>
            <Navigation />
          </div>
        </>
      )}
    </dialog>
  );
}
