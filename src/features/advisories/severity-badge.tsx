import { lazy, Suspense, type ReactNode } from "react";

import type { Severity } from "~/contract/vulnerabilities/severity";
import { Dash } from "~/ui/display/dash";

import classes from "./advisories.module.css";
import { loadCalculator } from "./calculator";

const View = lazy(async () => {
  const [{ SeverityView }] = await Promise.all([import("./severity-view"), loadCalculator()]);
  return { default: SeverityView };
});

/** A severity badge that loads the calculator on its own: rows do not wait for it. */
export const SeverityBadge = ({ of = [] }: { readonly of: readonly Severity[] | undefined }): ReactNode =>
  of.length === 0 ? (
    <Dash label="not scored" />
  ) : (
    <Suspense fallback={<span className={classes["room"]} />}>
      <View of={of} />
    </Suspense>
  );
