/**
 * Characters that change what a terminal shows instead of being shown: controls (C0, DEL, C1), line and paragraph
 * separators, and those that turn the direction of a text around.
 */
const UNSHOWN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;
/** The same without line breaks and tabs, for texts that were laid out here. */
const UNSHOWN_IN_LINES = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** A text of somebody else for one line of a terminal: what it would not show is written as `\u001b`. */
export const printable = (text: string): string => text.replaceAll(UNSHOWN, escaped);

/** JSON or quoted YAML for a terminal: `\u001b` means the same there as the character. */
export const printableLines = (text: string): string => text.replaceAll(UNSHOWN_IN_LINES, escaped);

/** True if a terminal shows every character of a laid out text. */
export const isPrintable = (text: string): boolean => printableLines(text) === text;
