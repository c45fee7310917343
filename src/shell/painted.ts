/** Milliseconds after which nobody seems to look: windows behind others may draw nothing and not say so. */
const PATIENCE = 100;

/** Settles when the browser has drawn what is on the page now; at once where nobody looks at it. */
export const painted = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.hidden) return resolve();
    setTimeout(resolve, PATIENCE);
    // Frames are called just before a picture is drawn, tasks after it.
    requestAnimationFrame(() => setTimeout(resolve));
  });
