/** Characters that begin or end something in Markdown. */
const MARKS = /[[\]()*_~`|<>&!^]/g;
/** Quotes and list items that a line begins with, in one another. */
const OPENS = /^(?:\s*(?:[>*+-]|\d{1,9}[.)])(?=[\s>]|$))+/;
const OPEN = /[>*+-]|\d+/g;
/** What ends a paragraph for certain: an empty line, a heading, an item of a list. */
const PARAGRAPH = /\n(?=[ \t]*\n| {0,3}(?:#{1,6}|[*+-])[ \t]+\S)/;
const TABLE = /\n[ \t]*\n/;
const INDENT = /^\s{200}/;

/** The square of the marks of each paragraph, since a parser looks for the other end of each: about a second. */
const WORK = 20_000_000;
/** Of all tables: a row may be one letter, and is filled up to the columns of its head. */
const CELLS = 20_000;
/** Quotes and items on one line, and in all. */
const DEEP = 30;
const NESTED = 10_000;

const count = (text: string, marks: RegExp): number => text.match(marks)?.length ?? 0;
const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);
const most = (numbers: readonly number[]): number => numbers.reduce((all, each) => Math.max(all, each), 0);

/**
 * Whether a document can be formatted without the page standing still for it: readmes are written by anybody, and a few
 * thousand brackets keep a browser busy for minutes. No readme that is meant to be read comes near these limits.
 */
export function isTame(markdown: string): boolean {
  const lines = markdown.split("\n");
  const opened = lines.map((line) => count(OPENS.exec(line)?.[0] ?? "", OPEN));
  if (most(opened) >= DEEP || sum(opened) > NESTED || lines.some((line) => INDENT.test(line))) return false;
  if (sum(markdown.split(PARAGRAPH).map((paragraph) => count(paragraph, MARKS) ** 2)) > WORK) return false;
  const cells = markdown.split(TABLE).map((table) => {
    const rows = table.split("\n");
    return most(rows.map((row) => count(row, /\|/g))) * rows.length;
  });
  return sum(cells) <= CELLS;
}
