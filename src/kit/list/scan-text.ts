import { formatCount, formatQuantity } from "../numbers";

export interface ScanFacts {
  readonly state: "reading" | "stopped" | "failed" | "done";
  /** Plural, in words: "identities". */
  readonly what: string;
  /** The same for one. */
  readonly one: string;
  readonly found: number;
  /** How many rows were looked at, and of how many; undefined where the server does not count. */
  readonly read: number;
  readonly total: number | bigint | undefined;
}

/** "37 found in 4,200 of 120,000 read"; when all are, "37 of 120,000 identities". */
export function scanText({ state, what, one, found, read, total }: ScanFacts): string {
  if (state === "done") return `${formatCount(found)} of ${formatQuantity(read, one, what)}`;
  const progress = `${formatCount(found)} found in ${formatCount(read)}`;
  const text = total === undefined ? `${progress} read` : `${progress} of ${formatCount(total)} read`;
  return state === "reading" ? text : `Stopped: ${text}`;
}

/** "115,800 identities were not looked at", for where somebody might take the rows for all there are. */
export function restText({ what, one, read, total }: ScanFacts): string {
  const rest = total === undefined ? 0 : Number(total) - read;
  if (rest <= 0) return `More ${what} were not looked at.`;
  return `${formatQuantity(rest, one, what)} ${rest === 1 ? "was" : "were"} not looked at.`;
}
