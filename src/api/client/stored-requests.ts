/** Prefix of the storage keys of `early-requests.ts`; the user follows. */
export const REQUESTS_KEY = "pc.first-requests ";

/** True if an earlier page load stored its requests. */
export function hasRequests(): boolean {
  try {
    return Object.keys(localStorage).some((key) => key.startsWith(REQUESTS_KEY));
  } catch {
    // Storage can be forbidden.
    return false;
  }
}
