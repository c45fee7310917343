/** Keys of cached answers: the requests that the user can answer, their own, and offers to them. */
export const WAITING = ["accessRequests", "list"] as const;
export const OWN = ["accessRequests", "own"] as const;
export const OFFERS = ["groups", "offered"] as const;
