/** What takes people's access away: one chunk. */
export { RemoveAccess } from "~/domains/access/grants/remove-access";
export { PeopleActs } from "./acts";
