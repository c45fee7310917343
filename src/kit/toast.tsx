import { CheckCircleIcon, XIcon } from "@primer/octicons-react";
import { useLayoutEffect, useRef, useSyncExternalStore } from "react";

import { IconButton } from "./icon-button";
import { AppLink } from "./link";
import { currentToasts, dismiss, pause, resume, subscribe } from "./toast-store";
import classes from "./toast.module.css";

/** Px between the toasts and what makes way for them, and between them and the edge of the window, together. */
const GAPS = 16;

/** The row with the focus, or what else has it, if it can be seen. */
function rowInSight(): Element | undefined {
  const { activeElement } = document;
  const row = activeElement?.closest("[role=row]") ?? activeElement;
  if (!row || row === document.body) return undefined;
  const { left, top, width, height } = row.getBoundingClientRect();
  return row.contains(document.elementFromPoint(left + width / 2, top + height / 2)) ? row : undefined;
}

/** Keeps `--pc-toasts` at the height that the page leaves free for the toasts: 0px while there are none. */
function useRoom(toasts: readonly unknown[]) {
  const region = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const height = toasts.length === 0 ? 0 : (region.current?.offsetHeight ?? 0) + GAPS;
    const row = rowInSight();
    document.documentElement.style.setProperty("--pc-toasts", `${height}px`);
    // The row that was acted on may have stood where they are now.
    row?.scrollIntoView({ block: "nearest" });
  }, [toasts]);
  return region;
}

/** Where `toast()` speaks: a polite status at the bottom. Mounted once, at the root of the app. */
export function ToastRegion() {
  const toasts = useSyncExternalStore(subscribe, currentToasts);
  const region = useRoom(toasts);
  return (
    <div
      ref={region}
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
