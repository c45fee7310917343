/** The steps of a review, and what reads its scope: one chunk. */
export { Campaign } from "./campaign";
export { readScope } from "./read";
