import { formatCount, formatQuantity } from "../display/numbers";
import { soFarText } from "../display/so-far";

export interface ScanFacts {
  readonly state: "reading" | "stopped" | "failed" | "done";
  /** Plural, in words: "identities". */
  readonly what: string;
  /** Singular. */
  readonly one: string;
  /** A word for matching rows: "deprecated"; default "found". "" if every row matches. */
  readonly called?: string | undefined;
  /** What the other rows are, for the end: "don't use OIDC tokens". */
  readonly others?: string | undefined;
  /** The order of the rows, if the service does not support it: "ordered by version". */
  readonly arranged?: string | undefined;
  readonly found: number;
  /** Number of rows read, and the total; undefined if the server does not count them. */
  readonly read: number;
  readonly total: number | bigint | undefined;
  /** True if the list has changed since it was read. */
  readonly outdated?: boolean | undefined;
}

/** Says that a finished scan can lack rows. */
export const OUTDATED = "the list has changed since";

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * "Reading…", "4,200 of 120,000 read" as long as nothing is found, "37 found in 4,200 of 120,000 read"; when done, "37 of 120,000 identities". With a word for matches: "37 deprecated
 * of 120,000 tags", and with words for the others: "82 identities checked; 5 don't use OIDC tokens". Without a filter: "Ordered by version among 4,200 of 120,000 read".
 */
export function scanText({
  state,
  what,
  one,
  called = "found",
  others,
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
    if (others !== undefined)
      return `${formatQuantity(found, one, what)} ${called}${read > found ? `; ${formatCount(read - found)} ${others}` : ""}${missed}`;
    if (all) return `${rows}${arranged === undefined ? "" : `, ${arranged}`}${missed}`;
    return `${called === "found" ? count : `${count} ${called}`} of ${rows}${behind}${missed}`;
  }
  // No count before anything is read, and none of 0 before the end.
  if (read === 0 && state === "reading") return "Reading\u2026";
  const progress = total === undefined ? formatCount(read) : `${formatCount(read)} of ${formatCount(total)}`;
  if (state !== "reading" && found === 0 && !all) {
    const unread =
      total === undefined || Number(total) <= read ? "others" : formatCount(Number(total) - read);
    return soFarText({ found, read, what, unread }) + behind;
  }
  const text = all
    ? `${arranged ?? "everything"} among ${progress} read`
    : found === 0
      ? `${progress} read${behind}`
      : `${count} ${called} in ${progress} read${behind}`;
  return state === "reading" ? capital(text) : `Stopped: ${text}`;
}

/** "115,800 identities weren't searched.", for where a user could think that the rows are complete. */
export function restText({ what, one, read, total }: ScanFacts): string {
  const rest = total === undefined ? 0 : Number(total) - read;
  if (rest <= 0) return `More ${what} weren't searched.`;
  return `${formatQuantity(rest, one, what)} ${rest === 1 ? "wasn't" : "weren't"} searched.`;
}
