import { lazy, Suspense, type ReactNode } from "react";

import type { UsedByProps } from "./used-by-cell";

const Cell = lazy(() => import("./used-by-cell").then(({ UsedBy }) => ({ default: UsedBy })));

/** How many role bindings give a role: what stands around it does not wait for that. */
export const UsedBy = (props: UsedByProps): ReactNode => (
  <Suspense>
    <Cell {...props} />
  </Suspense>
);
