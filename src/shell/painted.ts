/** Settles when the browser has drawn what is on the page now; at once where nobody looks at it. */
export const painted = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.hidden) resolve();
    // Frames are called just before a picture is drawn, tasks after it.
    else requestAnimationFrame(() => setTimeout(resolve));
  });
