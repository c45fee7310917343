import { lazy, Suspense, type ReactNode } from "react";

import type { UsedByProps } from "./used-by-cell";

const Cell = lazy(() => import("./used-by-cell").then(({ UsedBy }) => ({ default: UsedBy })));

/** Counts the bindings of a role, lazily loaded: the surrounding content doesn't wait for it. */
export const UsedBy = (props: UsedByProps): ReactNode => (
  <Suspense>
    <Cell {...props} />
  </Suspense>
);
