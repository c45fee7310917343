/** The parameters of one statement, in the order in which its text names them. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Adds a value; answers its placeholder. */
  readonly bind = (value: unknown): string => `$${this.values.push(value)}`;
}

export type Bind = Parameters["bind"];

/** The text as `like` finds it anywhere, whatever is in it. */
export const anywhere = (text: string): string => `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;

/**
 * SQL: whether a uid column holds one of these uids or something below one. A level of a uid has a fixed width, so
 * cutting to the width of a uid and comparing decides it; the database hashes the list, however long it is.
 */
export function withinAny(column: string, uids: readonly string[], bind: Bind): string {
  const widths = [...new Set(uids.map((uid) => uid.length))];
  const tests = widths.map((width) => {
    const ofWidth = uids.filter((uid) => uid.length === width);
    return `left(${column}, ${width}) = any(${bind(ofWidth)}::text[])`;
  });
  return tests.length === 0 ? "false" : `(${tests.join(" or ")})`;
}

/** Characters of the first part of a uid. */
const ROOT = 40;

interface Listed {
  readonly width: number;
  /** What all of them begin with. */
  readonly prefix: string;
  /** The rest of each, with a space between them. */
  readonly rests: string;
}

/** By the list, which is the same one for whoever asks again. */
const listedBy = new WeakMap<readonly string[], readonly Listed[]>();

function listed(uids: readonly string[]): readonly Listed[] {
  const known = listedBy.get(uids);
  if (known) return known;
  const made = [...new Set(uids.map((uid) => uid.length))].map((width) => {
    const ofWidth = uids.filter((uid) => uid.length === width);
    // Mostly all lie in one organization, whose uid need not be sent a thousand times.
    const root = width > ROOT ? (ofWidth[0] ?? "").slice(0, ROOT) : "";
    const prefix = ofWidth.every((uid) => uid.startsWith(root)) ? root : "";
    return { width, prefix, rests: ofWidth.map((uid) => uid.slice(prefix.length)).join(" ") };
  });
  listedBy.set(uids, made);
  return made;
}

/**
 * The same test for what few rows are put to: the list goes in as one text, which is taken apart once it is needed. As
 * an array of a thousand uids it would cost more to read and to plan with than the whole page.
 */
export function withinListed(column: string, uids: readonly string[], bind: Bind): string {
  const tests = listed(uids).map(({ width, prefix, rests }) => {
    const from = prefix.length;
    const among = `(select unnest(string_to_array(${bind(rests)}, ' ')))`;
    // `is true`: else the planner makes a join of it, and that of thousands of rows for each row.
    const test = `(substr(${column}, ${from + 1}, ${width - from}) in ${among}) is true`;
    return from === 0 ? test : `left(${column}, ${from}) = ${bind(prefix)} and ${test}`;
  });
  return tests.length === 0 ? "false" : `(${tests.join(" or ")})`;
}
