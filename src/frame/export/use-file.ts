import { useCallback, useEffect, useRef, useState } from "react";
import { saveBlob } from "~/ui/display/save-as";
import { useLatest } from "~/ui/use-latest";

interface Made {
  readonly blob: Blob;
  readonly name: string;
  readonly rows: number;
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
        saveBlob(file.name, file.blob);
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
