import type { Node } from "./readme-tree";

export interface ReadmeRequest {
  readonly content: string;
  /** In front of the ids of notes. */
  readonly prefix: string;
}

/** Milliseconds. Readmes of a hundred kilobytes take a tenth of it. */
const PATIENCE = 1_000;

const startWorker = (): Worker =>
  new Worker(new URL("./readme-worker.ts", import.meta.url), { type: "module", name: "readme" });

/**
 * Parses a readme beside the page: anybody writes them, and some documents keep a parser busy for minutes. Undefined when
 * that takes longer than a second, fails, or gives more than a page can draw.
 */
export function formatReadme(
  request: ReadmeRequest,
  signal: AbortSignal,
  start: () => Worker = startWorker,
): Promise<Node | undefined> {
  return new Promise((resolve) => {
    const worker = start();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = (tree?: Node) => {
      clearTimeout(timer);
      worker.terminate();
      resolve(tree);
    };
    worker.addEventListener("message", ({ data }: MessageEvent<"ready" | Node | undefined>) => {
      if (data !== "ready") return end(data);
      timer = setTimeout(end, PATIENCE);
      worker.postMessage(request);
    });
    // Its file did not arrive, or the document is nested too deeply for it.
    worker.addEventListener("error", () => end());
    signal.addEventListener("abort", () => end());
  });
}
