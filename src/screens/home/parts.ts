/** What only some people see on the home page, and what a check reads: one chunk. */
export { runCheck } from "./checks";
export { NoAccess } from "./no-access";
