/** Milliseconds to wait for a frame: the browser may not paint covered windows, without reporting them as hidden. */
const PAINT_TIMEOUT_MS = 100;

/** Resolves when the browser has painted the current page; immediately if the page is hidden. */
export const painted = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.hidden) return resolve();
    setTimeout(resolve, PAINT_TIMEOUT_MS);
    // Animation frame callbacks run just before a paint, tasks after it.
    requestAnimationFrame(() => setTimeout(resolve));
  });
