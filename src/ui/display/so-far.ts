import { formatCount, formatQuantity } from "./numbers";

interface SoFar {
  readonly found: number;
  readonly read: number;
  /** What is read, in the plural: "records". */
  readonly what: string;
  /** What isn't read to its end: "tags", "35". */
  readonly unread: string;
}

/**
 * What a search found that has not read everything, in the sentence of every screen: "No match in the 2,034 records read
 * so far; still to read: tags". Never "none".
 */
export const soFarText = ({ found, read, what, unread }: SoFar): string =>
  `${found === 0 ? "No match" : formatQuantity(found, "match", "matches")} in the ${formatCount(read)} ${what} read so far; still to read: ${unread}`;
