/** What starts the parser of files, and shows their rows: one chunk. */
export { InviteTerms } from "./invite-terms";
export { Outcome } from "./outcome";
export { Preview } from "./preview";
export { readTable } from "./read-table";
