import { lazy, Suspense, type ReactNode } from "react";

import type { Severity } from "~/contract/vulnerabilities/severity";
import { Dash } from "~/ui/display/dash";

import { loadCalculator } from "./calculator";

const View = lazy(async () => {
  const [{ SeverityView }] = await Promise.all([import("./severity-view"), loadCalculator()]);
  return { default: SeverityView };
});

/** How severe something is. The calculator is loaded for it: rows do not wait. */
export const SeverityBadge = ({ of = [] }: { readonly of: readonly Severity[] | undefined }): ReactNode =>
  of.length === 0 ? (
    <Dash label="not rated" />
  ) : (
    <Suspense>
      <View of={of} />
    </Suspense>
  );
