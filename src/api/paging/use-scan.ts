import { useEffect, useRef, useSyncExternalStore } from "react";

import type { Found, Scan } from "./scan";

export interface UsedScan<T> extends Found<T> {
  readonly stop: () => void;
  /** Continues after a stop or a failure. */
  readonly resume: () => void;
  /** Reads everything again. */
  readonly restart: () => void;
}

/** Runs a scan while it is shown: starts it automatically, and continues one that was left while reading. */
export function useScan<T>(scan: Scan<T>): UsedScan<T> {
  const found = useSyncExternalStore(scan.subscribe, scan.get);
  const shown = useRef<AbortSignal>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    shown.current = controller.signal;
    return () => controller.abort();
  }, [scan]);
  const resume = (): void => void scan.run(shown.current);
  useEffect(() => {
    if (scan.get().state === "idle") void scan.run(shown.current);
  }, [scan, found.state]);
  return { ...found, stop: scan.stop, resume, restart: scan.restart };
}
