/** Longest text, in bytes. */
export const MOST_BYTES = 5_000_000;

/** A table of texts, whatever the file was. */
export interface Table {
  readonly columns: readonly string[];
  /** Each by column; a missing or empty text is no value. */
  readonly rows: readonly Readonly<Record<string, string>>[];
}

/** The column of a list without a header. */
export const LINE = "Line";
