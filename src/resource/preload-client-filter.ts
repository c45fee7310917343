/**
 * Preloads the scan code, for a route whose address needs it. Separate from the component, which loads with the lists.
 */
export const preloadScan = (): void => void import("./client-filtered-rows").catch(() => undefined);
