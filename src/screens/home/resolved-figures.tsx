import { lazy, Suspense, type ReactNode } from "react";

import type { ResolvedReport } from "~/contract/advisory/resolved-reports";
import { FiguresTable, Legend } from "~/features/vulnerability-reports/figures-table";
import { barsOf, resolvedOf, severitiesIn } from "~/features/vulnerability-reports/figures";
import type { Days } from "~/features/vulnerability-reports/range";

import styles from "./styles.module.css";

const Chart = lazy(() => import("~/features/vulnerability-reports/chart"));

interface ResolvedFiguresProps {
  readonly reports: readonly ResolvedReport[];
  readonly days: Days;
}

/** A small chart of the vulnerabilities resolved per day, and the same data as a table. */
export function ResolvedFigures({ reports, days }: ResolvedFiguresProps): ReactNode {
  const resolved = resolvedOf(reports);
  const severities = severitiesIn(resolved);
  const { every, bars } = barsOf(resolved, days);
  return (
    <>
      <Legend resolved={resolved} severities={severities} />
      <div className={styles["chart"]}>
        <Suspense>
          <Chart
            every={every}
            bars={bars}
            severities={severities}
            label="Resolved vulnerabilities by day. The table below has the same numbers."
          />
        </Suspense>
      </div>
      <details>
        <summary className={styles["quiet"]}>Show as a table</summary>
        <FiguresTable resolved={resolved} severities={severities} />
      </details>
    </>
  );
}
