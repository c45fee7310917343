import { InfoIcon, TriangleAlertIcon } from "lucide-react";
import type { ReactNode } from "react";

import styles from "./banner.module.css";

interface BannerProps {
  /** Undefined: it takes no room. */
  readonly tone: "info" | "warning" | undefined;
  /** Makes the text a live region. */
  readonly role?: "status";
  readonly children: ReactNode;
  /** At the end of the line; below it in a narrow window. */
  readonly actions?: ReactNode;
}

/** A line above everything, as wide as the window. */
export function Banner({ tone, role, children, actions }: BannerProps): ReactNode {
  const Icon = tone === "warning" ? TriangleAlertIcon : InfoIcon;
  return (
    <div className={styles["banner"]} data-tone={tone}>
      <p role={role} className={styles["text"]}>
        {tone && <Icon size={16} className={styles["icon"] ?? ""} />}
        {children}
      </p>
      {actions}
    </div>
  );
}
