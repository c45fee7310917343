import type { Severity } from "platform-contract/vulnerabilities/severity";

import { Store } from "~/store";

import type * as Scored from "./scored";

type Calculator = typeof Scored;

const calculator = new Store<Calculator | undefined>(() => undefined);

/** Loaded separately: the calculator is as large as a screen, and rows must not wait for it. */
export async function loadCalculator(): Promise<Calculator> {
  const loaded = await import("./scored");
  calculator.set(loaded);
  return loaded;
}

/** The word for a severity; undefined if it is not rated or the calculator is not loaded yet. */
export const severityWord = (severities: readonly Severity[] = []): string | undefined =>
  calculator.get()?.ratedOf(severities)[0]?.word;

/** Text for exports: "High 7.5 (CVSS 3.1)"; the API's own scores until the calculator is loaded. */
export function severityText(severities: readonly Severity[] = []): string {
  const [newest] = calculator.get()?.ratedOf(severities) ?? [];
  if (newest?.score === undefined)
    return newest?.word ?? severities.flatMap(({ score }) => score || []).join(" ");
  return `${newest.word} ${newest.score.toFixed(1)} (CVSS ${newest.version})`;
}
