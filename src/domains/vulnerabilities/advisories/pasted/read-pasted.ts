import { readInWorker } from "~/frame/untrusted-text/read-in-worker";

import type { PastedItem } from "./item";

const start = (): Worker =>
  new Worker(new URL("./read-worker.ts", import.meta.url), { type: "module", name: "questions" });

/** Reads what a pasted text asks about, away from the page. Rejects with a TextProblem. */
export const readPasted = (text: string, signal?: AbortSignal): Promise<readonly PastedItem[]> =>
  readInWorker({ start, request: text, bytes: text.length, signal });
