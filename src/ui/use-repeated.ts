import { useEffect } from "react";

import { useLatest } from "./use-latest";

/** Does work `pause` ms after it was done last, as long as `active` and the page is in view; never twice at once. */
export function useRepeated(active: boolean, pause: number, work: () => Promise<unknown>): void {
  const latest = useLatest(work);
  useEffect(() => {
    if (!active) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ended = false;
    const wait = (): void => {
      if (ended) return;
      timer = setTimeout(() => {
        if (document.hidden) wait();
        else void latest.current().finally(wait);
      }, pause);
    };
    wait();
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [active, pause, latest]);
}
