import type { Severity } from "~/contract/vulnerabilities/severity";

type Calculator = typeof import("./cvss");

let loaded: Calculator | undefined;

/** The calculator is as large as a screen, and nobody waits for it to see rows. */
export async function loadCalculator(): Promise<Calculator> {
  loaded ??= await import("./cvss");
  return loaded;
}

/** The word for a severity, once the calculator is there; undefined for what is not rated. */
export const severityWord = (severities: readonly Severity[] = []): string | undefined =>
  loaded?.ratedOf(severities)[0]?.word;

/** For a file: "High 7.5 (CVSS 3.1)"; before the calculator is there what the API says. */
export function severityText(severities: readonly Severity[] = []): string {
  const [newest] = loaded?.ratedOf(severities) ?? [];
  if (newest) return `${newest.word} ${newest.score.toFixed(1)} (CVSS ${newest.version})`;
  return severities.flatMap(({ score }) => score || []).join(" ");
}
