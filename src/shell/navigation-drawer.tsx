import { XIcon } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";

import { IconButton } from "~/ui/controls/icon-button";

import { Navigation } from "./navigation";
import styles from "./shell.module.css";

/** The navigation where there is no room beside the page: the browser's own dialog keeps the focus inside. */
export function NavigationDrawer({
  asked,
  onClose,
}: {
  /** Another object each time that it is asked for; undefined closes it. */
  readonly asked: object | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!asked) dialog.current?.close();
    else if (!dialog.current?.open) dialog.current?.showModal();
  }, [asked]);
  return (
    <dialog
      ref={dialog}
      className={styles["drawer"]}
      aria-label="Navigation"
      // The event comes later than Escape closes the dialog: it may have been asked for again by then.
      onClose={({ currentTarget }) => currentTarget.open || onClose()}
      // A click outside of its content is one on the dialog itself, at its backdrop.
      onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      {asked && (
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
