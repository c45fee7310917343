import type { ComponentPropsWithRef, ReactNode } from "react";

import classes from "./icon-button.module.css";

interface IconButtonProps extends ComponentPropsWithRef<"button"> {
  /** The action and its object: the accessible name, and the tooltip. */
  label: string;
  /** A shorter tooltip than the name, or none. */
  tip?: string | false;
  /** Absent if its class draws the icon. */
  children?: ReactNode;
}

/** A quiet square button that shows only an icon. */
export function IconButton({ label, tip = label, className, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      data-tip={tip || undefined}
      className={[classes["button"], className].filter(Boolean).join(" ")}
      {...rest}
    >
      {children}
    </button>
  );
}
