/** Characters that are not seen, or that turn the direction of what is: controls, formats, separators. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * A text that is compared letter by letter, with every letter to be seen: `prod\u{202e}live` does not pass for another
 * (Unicode TR36, "Bidirectional text spoofing"). Only for showing; what is copied is the text itself.
 */
export const visible = (text: string): string =>
  text.replace(UNSEEN, (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`);
