import { useCallback, useEffect, useRef, useSyncExternalStore } from "react";

import type { Found, Scan } from "./scan";

export interface UsedScan<T> extends Found<T> {
  readonly stop: () => void;
  /** Continues after a stop or a failure. */
  readonly resume: () => void;
  /** Reads everything again. */
  readonly restart: () => void;
}

/**
 * Runs a scan while it is shown: starts it automatically, and continues one that was left while reading.
 * @param step stops after so many rows of the list, until the user resumes
 */
export function useScan<T>(scan: Scan<T>, step = Infinity): UsedScan<T> {
  const found = useSyncExternalStore(scan.subscribe, scan.get);
  const shown = useRef<AbortSignal>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    shown.current = controller.signal;
    return () => controller.abort();
  }, [scan]);
  const resume = useCallback(
    (): void => void scan.run(shown.current, scan.get().read + step, "stopped"),
    [scan, step],
  );
  useEffect(() => {
    if (scan.get().state === "idle") resume();
  }, [scan, resume, found.state]);
  return { ...found, stop: scan.stop, resume, restart: scan.restart };
}
