import type { ReactNode } from "react";
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";

import { dayText, shortDay } from "~/domains/vulnerabilities/vulnerability-reports/range";
import { formatCount, formatQuantity } from "~/ui/display/numbers";

import classes from "./usage.module.css";
import type { DayOfPulls } from "./words";

const AXIS = { fill: "var(--pc-text-secondary)", fontSize: "var(--mantine-font-size-xs)" };
const MARGIN = { top: 8, right: 8, bottom: 0, left: 0 };
const CURSOR = { fill: "var(--pc-hover)" };

/** Pulls by day: downloads, and above them what was only asked for. Arrow keys move along the bars. */
export function Chart({ days }: { readonly days: readonly DayOfPulls[] }): ReactNode {
  return (
    <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 640, height: 136 }}>
      <BarChart
        data={days as DayOfPulls[]}
        margin={MARGIN}
        accessibilityLayer
        title="Pulls by day. The table below has the same numbers."
      >
        <CartesianGrid vertical={false} stroke="var(--pc-border)" />
        <XAxis
          dataKey="day"
          tickFormatter={shortDay}
          tick={AXIS}
          tickLine={false}
          axisLine={{ stroke: "var(--pc-border-strong)" }}
          minTickGap={24}
        />
        <YAxis allowDecimals={false} tick={AXIS} tickLine={false} axisLine={false} width={36} tickCount={3} />
        <Tooltip
          isAnimationActive={false}
          cursor={CURSOR}
          content={({ active, payload }) => {
            const one = payload?.[0]?.payload as DayOfPulls | undefined;
            return active && one ? (
              <div className={classes["tip"]}>
                <p>
                  {dayText(one.day)}: {formatQuantity(one.downloads, "download")}
                </p>
                {one.asks > 0 ? <p>Requested: {formatCount(one.asks)}</p> : null}
              </div>
            ) : null;
          }}
        />
        <Bar
          dataKey="downloads"
          name="Downloads"
          stackId="pulls"
          fill="var(--pc-accent)"
          maxBarSize={20}
          isAnimationActive={false}
        />
        <Bar
          dataKey="asks"
          name="Requested"
          stackId="pulls"
          fill="var(--pc-accent-soft)"
          stroke="var(--pc-accent)"
          maxBarSize={20}
          isAnimationActive={false}
        />
      </BarChart>
    </ResponsiveContainer>
  );
}
