/** What takes people's access away: one chunk. */
export { RemoveAccess } from "~/features/access/remove-access";
export { PeopleActs } from "./acts";
