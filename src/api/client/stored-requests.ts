/** Prefix of the storage keys of `early-requests.ts`; the user follows. */
export const REQUESTS_KEY = "pc.first-requests ";

/** True if an earlier page load stored its requests. Throws if the browser forbids storage. */
export const hasRequests = (): boolean =>
  Object.keys(localStorage).some((key) => key.startsWith(REQUESTS_KEY));
