import { childrenIn, isEmpty, type ChildCounts } from "~/resource/children";

/**
 * Whether an organization holds nothing but the caller's own bindings: deleting it then deletes those too, and ends the
 * caller's access. `own`: how many of its bindings are the caller's.
 */
export const holdsOnlyOwnBindings = (counts: ChildCounts, own: number): boolean =>
  own > 0 && Number(counts["roleBindings"]) === own && isEmpty("groups", { ...counts, roleBindings: 0 });

/**
 * Whether a group certainly cannot be deleted. `own`: how many of its bindings may be the caller's, which are deleted with
 * an organization; undefined while that is not known.
 */
export const isFull = (counts: ChildCounts, own: number | undefined): boolean =>
  childrenIn("groups", counts, "blocks").some(
    ({ kind, count }) => kind.collection !== "roleBindings" || (own !== undefined && Number(count) > own),
  );
