/** The parameters of one statement, in the order in which its text names them. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Adds a value; answers its placeholder. */
  readonly bind = (value: unknown): string => `$${this.values.push(value)}`;
}

export type Bind = Parameters["bind"];

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
