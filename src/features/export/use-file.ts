import { useCallback, useEffect, useRef, useState } from "react";

interface Made {
  readonly blob: Blob;
  readonly name: string;
  readonly rows: number;
}

/** Hands a file to the browser's downloads. */
function download({ blob, name }: Made): void {
  const address = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  // The browser has it by then; a second one would keep every export in memory.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** A file that is built and downloaded once when `ready`, and again on request. */
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
  const latest = useRef(make);
  latest.current = make;

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
  }, []);
  useEffect(() => {
    const own = new AbortController();
    shown.current = own;
    if (ready) save();
    return () => own.abort();
  }, [ready, save]);
  return { save, made, problem };
}
