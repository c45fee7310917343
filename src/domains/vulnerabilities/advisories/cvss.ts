import { fromVector } from "ae-cvss-calculator";

import * as rating from "platform-contract/vulnerabilities/rating";
import type { Severity } from "platform-contract/vulnerabilities/severity";

/** One metric of a vector, in the words of its specification. */
export interface Metric {
  readonly key: string;
  readonly name: string;
  readonly value: string;
  readonly means: string;
}

/** Score and rating of a severity; undefined if its text is no vector, number or word. */
export const rate = (severity: Severity): rating.Rated | undefined => rating.rate(severity, fromVector);

/** The severities that can be rated; the first is the one to show. */
export const ratedOf = (severities: readonly Severity[]): rating.Rated[] =>
  rating.ratedOf(severities, fromVector);

const NOT_DEFINED = /^(?:X|ND)$/;

/** The metrics of a vector: all base metrics, and any others that are set. */
export function metricsOf(text: string): Metric[] {
  const vector = rating.parseVector(text, fromVector);
  return [...(vector?.getComponents() ?? [])]
    .filter(([, { shortName, hide }]) => !hide && !NOT_DEFINED.test(shortName))
    .map(([{ shortName, name }, { name: value, description }]) => ({
      key: shortName,
      name,
      value,
      means: description,
    }));
}
