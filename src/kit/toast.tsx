import { CheckCircleIcon, XIcon } from "@primer/octicons-react";
import { useSyncExternalStore } from "react";

import { IconButton } from "./icon-button";
import { AppLink } from "./link";
import { currentToasts, dismiss, pause, resume, subscribe } from "./toast-store";
import classes from "./toast.module.css";

/** Where `toast()` speaks: a polite status in the corner. Mounted once, at the root of the app. */
export function ToastRegion() {
  const toasts = useSyncExternalStore(subscribe, currentToasts);
  return (
    <div
      role="status"
      aria-label="Notifications"
      className={classes["region"]}
      onPointerEnter={pause}
      onPointerLeave={resume}
      onFocus={pause}
      onBlur={resume}
    >
      {toasts.map(({ id, text, link }) => (
        <div key={id} className={classes["toast"]}>
          <span className={classes["icon"]}>
            <CheckCircleIcon size={16} />
          </span>
          <p className={classes["text"]}>
            {text}{" "}
            {link ? (
              <AppLink target={link.target} onClick={() => dismiss(id)}>
                {link.label}
              </AppLink>
            ) : null}
          </p>
          <IconButton label="Dismiss" tip={false} onClick={() => dismiss(id)}>
            <XIcon size={16} />
          </IconButton>
        </div>
      ))}
    </div>
  );
}
