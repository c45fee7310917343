import { CircleIcon } from "lucide-react";
import { lazy, Suspense, type ReactNode } from "react";

import type { Severity } from "~/contract/vulnerabilities/severity";
import { Badge } from "~/ui/display/badge";
import { Dash } from "~/ui/display/dash";

import classes from "./advisories.module.css";
import { loadCalculator } from "./calculator";

const View = lazy(async () => {
  const [{ SeverityView }] = await Promise.all([import("./severity-view"), loadCalculator()]);
  return { default: SeverityView };
});

/** Takes as much room as a badge will, so that it does not wrap a line when it appears. */
const Room = (): ReactNode => (
  <span className={classes["room"]}>
    <Badge icon={<CircleIcon size={12} />}>Medium 5.0</Badge>
  </span>
);

/** A severity badge that loads the calculator on its own: rows do not wait for it. */
export const SeverityBadge = ({ of = [] }: { readonly of: readonly Severity[] | undefined }): ReactNode =>
  of.length === 0 ? (
    <Dash label="not scored" />
  ) : (
    <Suspense fallback={<Room />}>
      <View of={of} />
    </Suspense>
  );
