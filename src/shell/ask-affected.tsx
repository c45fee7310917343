import { lazy, Suspense, type ReactNode } from "react";

import styles from "./overview.module.css";

const Ask = lazy(async () => ({ default: (await import("~/features/advisories/ask")).Ask }));

/** The field of "Are we affected by CVE-...?". Nobody waits for it to see what is around it. */
export const AskAffected = (): ReactNode => (
  <div className={styles["ask"]}>
    <Suspense>
      <Ask />
    </Suspense>
  </div>
);
