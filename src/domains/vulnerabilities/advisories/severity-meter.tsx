import type { ReactNode } from "react";

import type { SeverityWord } from "./severity-words";

/** Number of filled bars: readable without color, and at the size of a letter. */
const BARS: Readonly<Record<SeverityWord, number>> = { Critical: 4, High: 3, Medium: 2, Low: 1, None: 0 };

/** Four bars that rise; as many are filled as the severity has steps. */
export const SeverityMeter = ({ of }: { readonly of: SeverityWord }): ReactNode => (
  <svg viewBox="0 0 12 12" fill="currentColor" aria-hidden="true">
    {[0, 1, 2, 3].map((bar) => (
      <rect
        key={bar}
        x={bar * 3 + 0.25}
        y={8 - bar * 2.5}
        width={2.25}
        height={3.5 + bar * 2.5}
        rx={0.75}
        opacity={bar < BARS[of] ? 1 : 0.28}
      />
    ))}
  </svg>
);
