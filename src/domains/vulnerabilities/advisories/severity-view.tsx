import type { ReactNode } from "react";

import type { Rated, SeverityWord } from "platform-contract/vulnerabilities/rating";
import type { Severity } from "platform-contract/vulnerabilities/severity";
import { Badge } from "~/ui/display/badge";
import { Dash } from "~/ui/display/dash";

import { ratedOf } from "./cvss";

/** Number of filled bars: readable without color, and at the size of a letter. */
const BARS: Readonly<Record<SeverityWord, number>> = { Critical: 4, High: 3, Medium: 2, Low: 1, None: 0 };

/** Each step has a tone of its own, which nothing else uses. */
const TONES = { Critical: "critical", High: "high", Medium: "medium", Low: "low", None: "neutral" } as const;

/** Four bars that rise; as many are filled as the severity has steps. */
const SeverityMeter = ({ of }: { readonly of: SeverityWord }): ReactNode => (
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

/** A word, and a number if there is one: "High 7.5". */
export function RatedBadge({ word, score, version }: Rated): ReactNode {
  return (
    <span
      data-tip={
        score === undefined
          ? "As its source says, without a CVSS score"
          : version === ""
            ? undefined
            : `CVSS ${version}`
      }
    >
      <Badge tone={TONES[word]} icon={<SeverityMeter of={word} />}>
        {word} {score?.toFixed(1)}
      </Badge>
    </span>
  );
}

/** The badge of a rating, or a dash if there is none. */
export const RatingBadge = ({ of }: { readonly of: Rated | undefined }): ReactNode =>
  of ? <RatedBadge {...of} /> : <Dash label="not scored" />;

/** The severity by the newest CVSS version that has a score. */
export const SeverityView = ({ of }: { readonly of: readonly Severity[] }): ReactNode => (
  <RatingBadge of={ratedOf(of)[0]} />
);
