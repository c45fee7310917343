/** The parser of files, and what shows their rows: one chunk. */
export { InviteTerms } from "./invite-terms";
export { Outcome } from "./outcome";
export { parseTable } from "./parse";
export { Preview } from "./preview";
