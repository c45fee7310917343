import { readInWorker } from "~/frame/untrusted-text/read-in-worker";

import type { Manifest, Source } from "./read";

const start = (): Worker =>
  new Worker(new URL("./read-worker.ts", import.meta.url), { type: "module", name: "manifests" });

/** Reads manifests away from the page. Rejects with a TextProblem. */
export const readManifests = (
  sources: readonly Source[],
  signal: AbortSignal,
): Promise<readonly Manifest[]> =>
  readInWorker({
    start,
    request: sources,
    bytes: sources.reduce((sum, { text }) => sum + text.length, 0),
    signal,
  });
