/**
 * What some readers take for the end of a line (NEL, U+2028, U+2029), and terminals for an order (C1). JSON escapes only the
 * control characters below U+0020 by itself.
 */
const ODD = /[\u007F-\u009F\u2028\u2029]/g;

/** A value as one line of JSON, whatever texts are in it: names and user agents are chosen by others. */
export const lineOf = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    ODD,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
