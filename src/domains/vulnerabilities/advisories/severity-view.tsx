import type { ReactNode } from "react";

import type { Severity } from "platform-contract/vulnerabilities/severity";
import { Badge } from "~/ui/display/badge";
import { Dash } from "~/ui/display/dash";

import { ratedOf, type Rated } from "./cvss";
import { SeverityMeter } from "./severity-meter";

/** A word, and a number if there is one: "High 7.5". */
export function RatedBadge({ word, tone, score, version }: Rated): ReactNode {
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
      <Badge tone={tone} icon={<SeverityMeter of={word} />}>
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
