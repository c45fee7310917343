/** The rules that a move gives, and the second step: one chunk. */
export { Retire } from "./retire";
export { Rules } from "./rules";
