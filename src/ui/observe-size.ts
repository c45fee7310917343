/**
 * Calls `onResize` in the frame after the element was resized; returns a function that stops it. Within the observer's
 * own call, a write that resizes what is observed would be an error: "ResizeObserver loop completed with undelivered
 * notifications".
 */
export function observeSize(element: Element, onResize: () => void): () => void {
  let frame: number | undefined;
  const observer = new ResizeObserver(() => {
    frame ??= requestAnimationFrame(() => {
      frame = undefined;
      onResize();
    });
  });
  observer.observe(element);
  return () => {
    observer.disconnect();
    if (frame !== undefined) cancelAnimationFrame(frame);
  };
}
