import type { ReactNode } from "react";

import { Chart } from "~/domains/vulnerabilities/vulnerability-reports/lazy-chart";
import type { Resolved } from "~/domains/vulnerabilities/vulnerability-reports/figures";
import { barsOf } from "~/domains/vulnerabilities/vulnerability-reports/figures";
import { FiguresTable, Legend } from "~/domains/vulnerabilities/vulnerability-reports/figures-table";
import { dayAfter } from "~/domains/vulnerabilities/vulnerability-reports/range";
import { SEVERITIES } from "~/domains/vulnerabilities/vulnerability-reports/severity";

import classes from "./gallery.module.css";
import { Specimen } from "./specimen";

const FIRST = "2026-10-01";

/** Some of every severity on each of these days, fewer of the worse ones. */
const resolvedIn = (days: number): Resolved[] =>
  Array.from({ length: days }, (_, day) =>
    SEVERITIES.flatMap((severity, rank) =>
      Array.from({ length: (day * (rank + 1)) % 5 }, (_each, index) => ({
        day: dayAfter(FIRST, day),
        key: `ADV-${day}-${rank}-${index}`,
        ids: [`ADV-${day}-${rank}-${index}`],
        aliases: [],
        tags: [],
        severity,
        score: undefined,
        rated: undefined,
      })),
    ),
  ).flat();

function Figures({ days }: { readonly days: number }): ReactNode {
  const resolved = resolvedIn(days);
  const last = dayAfter(FIRST, days - 1);
  const { every, bars } = barsOf(resolved, { first: FIRST, last });
  return (
    <>
      <Legend resolved={resolved} severities={SEVERITIES} />
      <div className={classes["chart"]}>
        <Chart every={every} bars={bars} severities={SEVERITIES} label={`Resolved in ${days} days`} />
      </div>
    </>
  );
}

/** What a report is made of: a chart, its legend, and the same figures as a table. */
export const Reports = (): ReactNode => (
  <>
    <Specimen title="Chart: 7 days">
      <Figures days={7} />
    </Specimen>
    <Specimen title="Chart: 60 days">
      <Figures days={60} />
    </Specimen>
    <Specimen title="Figures">
      <FiguresTable resolved={resolvedIn(4)} severities={SEVERITIES} />
    </Specimen>
  </>
);
