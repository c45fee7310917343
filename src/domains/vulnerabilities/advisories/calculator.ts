import type { Severity } from "platform-contract/vulnerabilities/severity";

import type * as Scored from "./scored";

type Calculator = typeof Scored;

let loaded: Calculator | undefined;

/** Loaded separately: the calculator is as large as a screen, and rows must not wait for it. */
export async function loadCalculator(): Promise<Calculator> {
  loaded ??= await import("./scored");
  return loaded;
}

/** The word for a severity; undefined if it is not rated or the calculator is not loaded yet. */
export const severityWord = (severities: readonly Severity[] = []): string | undefined =>
  loaded?.ratedOf(severities)[0]?.word;

/** Text for exports: "High 7.5 (CVSS 3.1)"; the API's own scores until the calculator is loaded. */
export function severityText(severities: readonly Severity[] = []): string {
  const [newest] = loaded?.ratedOf(severities) ?? [];
  if (newest?.score === undefined)
    return newest?.word ?? severities.flatMap(({ score }) => score || []).join(" ");
  return `${newest.word} ${newest.score.toFixed(1)} (CVSS ${newest.version})`;
}
