/** Characters that do not show, or that turn the direction of those that do: controls, formats, separators. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * A text that is compared exactly, with every character visible: `prod\u{202e}live` does not pass for another
 * (Unicode TR36, "Bidirectional text spoofing"). For display only; copy the text itself.
 */
export const visible = (text: string): string =>
  text.replace(UNSEEN, (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`);
