import { formatCount, formatQuantity } from "../display/numbers";

export interface ScanFacts {
  readonly state: "reading" | "stopped" | "failed" | "done";
  /** Plural, in words: "identities". */
  readonly what: string;
  /** The same for one. */
  readonly one: string;
  /** What those are that match, in a word: "deprecated"; default "found". "" where every row is kept. */
  readonly called?: string | undefined;
  /** How the rows stand, where the service has another order: "ordered by version". */
  readonly arranged?: string | undefined;
  readonly found: number;
  /** How many rows were looked at, and of how many; undefined where the server does not count. */
  readonly read: number;
  readonly total: number | bigint | undefined;
  /** The list has changed since it was read. */
  readonly outdated?: boolean | undefined;
}

/** Said about a reading that may lack rows. */
export const OUTDATED = "changed since it was read";

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * "37 found in 4,200 of 120,000 read"; when all are, "37 of 120,000 identities". With a word for those: "37 deprecated
 * of 120,000 tags". Where nothing is filtered: "Ordered by version among 4,200 of 120,000 read".
 */
export function scanText({
  state,
  what,
  one,
  called = "found",
  arranged,
  found,
  read,
  total,
  outdated = false,
}: ScanFacts): string {
  const all = called === "";
  const count = formatCount(found);
  const behind = arranged !== undefined && !all ? `, ${arranged}` : "";
  if (state === "done") {
    const rows = formatQuantity(read, one, what);
    const missed = outdated ? `; ${OUTDATED}` : "";
    if (all) return `${rows}${arranged === undefined ? "" : `, ${arranged}`}${missed}`;
    return `${called === "found" ? count : `${count} ${called}`} of ${rows}${behind}${missed}`;
  }
  const progress = total === undefined ? formatCount(read) : `${formatCount(read)} of ${formatCount(total)}`;
  const text = all
    ? `${arranged ?? "everything"} among ${progress} read`
    : `${count} ${called} in ${progress} read${behind}`;
  return state === "reading" ? capital(text) : `Stopped: ${text}`;
}

/** "115,800 identities were not looked at", for where somebody might take the rows for all there are. */
export function restText({ what, one, read, total }: ScanFacts): string {
  const rest = total === undefined ? 0 : Number(total) - read;
  if (rest <= 0) return `More ${what} were not searched.`;
  return `${formatQuantity(rest, one, what)} ${rest === 1 ? "was" : "were"} not searched.`;
}
