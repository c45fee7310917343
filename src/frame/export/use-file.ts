import { useCallback, useEffect, useRef, useState } from "react";
import { useLatest } from "~/ui/use-latest";

interface Made {
  readonly blob: Blob;
  readonly name: string;
  readonly rows: number;
}

/** Downloads a file in the browser. */
function download({ blob, name }: Made): void {
  const address = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  // The browser has read it by then; without this, every export would stay in memory.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Builds and downloads a file once when `ready`, and again with each call of `save`. */
export function useFile(
  ready: boolean,
  make: (signal: AbortSignal) => Promise<Made>,
): {
  readonly save: () => void;
  readonly made: Made | undefined;
  readonly problem: unknown;
} {
  const [made, setMade] = useState<Made>();
  const [problem, setProblem] = useState<unknown>();
  const shown = useRef<AbortController>(undefined);
  const latest = useLatest(make);

  const save = useCallback(() => {
    const signal = shown.current?.signal;
    if (!signal || signal.aborted) return;
    setProblem(undefined);
    latest.current(signal).then(
      (file) => {
        if (signal.aborted) return;
        download(file);
        setMade(file);
      },
      (error: unknown) => {
        if (!signal.aborted) setProblem(error ?? new Error());
      },
    );
  }, [latest]);
  useEffect(() => {
    const own = new AbortController();
    shown.current = own;
    if (ready) save();
    return () => own.abort();
  }, [ready, save]);
  return { save, made, problem };
}
