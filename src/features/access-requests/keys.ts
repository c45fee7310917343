/** Keys of cached answers: the requests that the user can answer, and their own. */
export const WAITING = ["accessRequests", "list"] as const;
export const OWN = ["accessRequests", "own"] as const;
