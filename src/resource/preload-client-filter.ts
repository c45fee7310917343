/**
 * Loads the code of scans ahead of time, for a route whose address says that it will be needed. Apart from the component,
 * which comes with the lists.
 */
export const preloadScan = (): void => void import("./client-filtered-rows").catch(() => undefined);
