import { childrenIn, isEmpty, type ChildCounts } from "./child-kinds";

/**
 * True if an organization contains only the caller's own bindings. Deleting it then deletes those too, and ends the
 * caller's access. `own`: the number of its bindings that are the caller's.
 */
export const holdsOnlyOwnBindings = (counts: ChildCounts, own: number): boolean =>
  own > 0 && Number(counts["roleBindings"]) === own && isEmpty("groups", { ...counts, roleBindings: 0 });

/**
 * True if a group certainly cannot be deleted. `own`: the number of its bindings that can be the caller's, which are
 * deleted with an organization; undefined while unknown.
 */
export const isFull = (counts: ChildCounts, own: number | undefined): boolean =>
  childrenIn("groups", counts, "blocks").some(
    ({ kind, count }) => kind.collection !== "roleBindings" || (own !== undefined && Number(count) > own),
  );
