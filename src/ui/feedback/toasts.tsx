import { Notifications, notifications } from "@mantine/notifications";
import { CircleCheckIcon, InfoIcon } from "lucide-react";

import "@mantine/core/styles/UnstyledButton.css";
import "@mantine/core/styles/CloseButton.css";
import "@mantine/core/styles/Notification.css";
import "@mantine/notifications/styles.css";
import { useWide } from "../layout/use-media";
import { AppLink } from "../layout/link";
import { VisuallyHidden } from "../layout/visually-hidden";
import { offerUndo, undoKeys } from "../undo-key";
import type { ReactNode } from "react";

import type { ToastOffer } from "./toast-store";
import classes from "./toasts.module.css";

/**
 * In the header of a narrow window, at the foot of the sheet in a wide one: it covers no field, row or button. "stacked",
 * since only then the timer also stops while the focus is inside (WCAG 2.2.1).
 */
export function Toasts() {
  return (
    <Notifications
      // Of a stack that opens, the others are above the newest at the foot, below it in the header.
      position={useWide() ? "bottom-center" : "top-center"}
      layout="stacked"
      limit={3}
      autoClose={6000}
      transitionDuration={140}
      allowDragDismiss={false}
      allowScrollDismiss={false}
      withinPortal={false}
      classNames={{ root: classes["root"] ?? "" }}
    />
  );
}

const CLASSES = {
  root: classes["toast"] ?? "",
  icon: classes["icon"] ?? "",
  description: classes["description"] ?? "",
};

/** Shows a toast above all others until it is hidden. Does not change one that is already shown. */
export function showStanding(id: string, message: ReactNode): void {
  notifications.show({
    id,
    message,
    autoClose: false,
    priority: 1,
    withCloseButton: false,
    classNames: { ...CLASSES, root: `${CLASSES.root} ${classes["standing"]}` },
    role: "none",
  });
}

export const hideToast = (id: string): void => void notifications.hide(id);

/** How long a toast with something to do stays, in ms. */
const OFFER_MS = 60_000;

export function showToast(text: string, offer: ToastOffer | undefined, tone: "success" | "info"): void {
  const hide = () => notifications.hide(id);
  const act = offer && "onSelect" in offer ? offer : undefined;
  const run = () => {
    hide();
    act?.onSelect();
  };
  const keys = act?.label === "Undo" ? undoKeys(navigator.userAgent) : undefined;
  const withdraw = keys && offerUndo(run);
  const id = notifications.show({
    icon:
      tone === "info" ? <InfoIcon size={16} /> : <CircleCheckIcon size={16} className={classes["success"]} />,
    message: (
      <>
        {text}{" "}
        {offer && "target" in offer ? (
          <AppLink target={offer.target} onClick={hide}>
            {offer.label}
          </AppLink>
        ) : null}
        {act ? (
          <button
            type="button"
            className={classes["act"]}
            aria-keyshortcuts={keys?.aria}
            data-tip={keys && `Undo (${keys.words})`}
            onClick={run}
          >
            {act.label}
          </button>
        ) : null}
        {/* Tab reaches the toast only after everything else. */}
        {keys ? <VisuallyHidden> Press {keys.words} to undo.</VisuallyHidden> : null}
      </>
    ),
    ...(act && { autoClose: OFFER_MS }),
    ...(withdraw && { onClose: withdraw }),
    classNames: CLASSES,
    closeButtonProps: { "aria-label": "Dismiss" },
    // The surrounding region is live, and polite.
    role: "none",
  });
}
