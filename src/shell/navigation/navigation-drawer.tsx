import { useRouterState } from "@tanstack/react-router";
import { XIcon } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";

import { IconButton } from "~/ui/controls/icon-button";

import { Navigation } from "./navigation";
import styles from "~/shell/shell.module.css";

/** The navigation for narrow windows. A native dialog, which keeps the focus inside. */
export function NavigationDrawer({
  asked,
  onClose,
}: {
  /** A new object each time the user opens it; undefined closes it. */
  readonly asked: object | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  // The user has navigated to another screen or scope.
  const address = useRouterState({ select: ({ location }) => location.pathname + location.searchStr });
  useEffect(onClose, [address, onClose]);
  useEffect(() => {
    if (!asked) dialog.current?.close();
    else if (!dialog.current?.open) dialog.current?.showModal();
  }, [asked]);
  return (
    <dialog
      ref={dialog}
      className={styles["drawer"]}
      aria-label="Navigation"
      // The event fires after Escape has closed the dialog; the user may have reopened it by then.
      onClose={({ currentTarget }) => currentTarget.open || onClose()}
      // A click outside of the content targets the dialog itself: its backdrop.
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
