import { useRouterState } from "@tanstack/react-router";
import type { ReactNode } from "react";

import styles from "./progress.module.css";

/** A thin line while the next screen loads; faint for one that is ready immediately. */
export function Progress(): ReactNode {
  const loading = useRouterState({ select: ({ isLoading }) => isLoading });
  return loading ? <div className={styles["progress"]} role="progressbar" aria-label="Loading page" /> : null;
}
