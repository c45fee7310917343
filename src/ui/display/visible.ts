/** Characters that are invisible or change the text direction: controls, formats, separators. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Makes every character of a text visible, so that `prod\u{202e}live` cannot pass for another text (Unicode TR36,
 * "Bidirectional text spoofing"). For display only; copy the original text.
 */
export const visible = (text: string): string =>
  text.replace(UNSEEN, (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`);
