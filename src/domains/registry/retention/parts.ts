/** What reads the tags and shows what the rules would do: one chunk. */
export { decide } from "./decide";
export { Preview } from "./preview";
export { readFacts } from "./read";
