/** The parameters of one statement, in order. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Adds a value; returns its placeholder. */
  readonly bind = (value: unknown): string => `$${this.values.push(value)}`;
}

export type Bind = Parameters["bind"];

/** A `like` pattern that finds the text anywhere, with its wildcards escaped. */
export const anywhere = (text: string): string => `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;

/**
 * SQL: true if a uid column is one of these uids or below one. Each level of a uid has a fixed width, so it is enough
 * to cut the column to the width of a uid and compare; the database hashes the list, however long it is.
 */
export function withinAny(column: string, uids: readonly string[], bind: Bind): string {
  const widths = [...new Set(uids.map((uid) => uid.length))];
  const tests = widths.map((width) => {
    const ofWidth = uids.filter((uid) => uid.length === width);
    return `left(${column}, ${width}) = any(${bind(ofWidth)}::text[])`;
  });
  return tests.length === 0 ? "false" : `(${tests.join(" or ")})`;
}

/** Length of the first part of a uid. */
const ROOT = 40;

interface Listed {
  readonly width: number;
  /** Common prefix of all. */
  readonly prefix: string;
  /** The rest of each, separated by spaces. */
  readonly rests: string;
}

/** Keyed by the list, which is the same object when a caller requests it again. */
const listedBy = new WeakMap<readonly string[], readonly Listed[]>();

function listed(uids: readonly string[]): readonly Listed[] {
  const known = listedBy.get(uids);
  if (known) return known;
  const made = [...new Set(uids.map((uid) => uid.length))].map((width) => {
    const ofWidth = uids.filter((uid) => uid.length === width);
    // Usually all are in one organization, whose uid need not be sent a thousand times.
    const root = width > ROOT ? (ofWidth[0] ?? "").slice(0, ROOT) : "";
    const prefix = ofWidth.every((uid) => uid.startsWith(root)) ? root : "";
    return { width, prefix, rests: ofWidth.map((uid) => uid.slice(prefix.length)).join(" ") };
  });
  listedBy.set(uids, made);
  return made;
}

/**
 * Like withinAny, for tests on few rows: the list is passed as one text, which is split only when needed. As an array
 * of a thousand uids, it would cost more to parse and to plan than the whole page.
 */
export function withinListed(column: string, uids: readonly string[], bind: Bind): string {
  const tests = listed(uids).map(({ width, prefix, rests }) => {
    const from = prefix.length;
    const among = `(select unnest(string_to_array(${bind(rests)}, ' ')))`;
    // `is true`: otherwise the planner makes a join of it, with thousands of rows for each row.
    const test = `(substr(${column}, ${from + 1}, ${width - from}) in ${among}) is true`;
    return from === 0 ? test : `left(${column}, ${from}) = ${bind(prefix)} and ${test}`;
  });
  return tests.length === 0 ? "false" : `(${tests.join(" or ")})`;
}
