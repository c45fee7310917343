/** What shows groups other than the tree: one chunk. */
export { BesideGroup } from "./beside-group";
export { FoundGroups } from "./found-groups";
