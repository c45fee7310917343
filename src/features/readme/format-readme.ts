import type { Node } from "./readme-tree";

export interface ReadmeRequest {
  readonly content: string;
  /** Prefix of footnote ids. */
  readonly prefix: string;
}

/** In ms. Readmes of a hundred kilobytes take a tenth of it. */
const PARSE_TIMEOUT_MS = 1_000;

const startWorker = (): Worker =>
  new Worker(new URL("./readme-worker.ts", import.meta.url), { type: "module", name: "readme" });

/**
 * Parses a readme in a worker: readmes are untrusted, and some documents keep a parser busy for minutes. Resolves to
 * undefined if that takes longer than a second, fails, or yields more than a page can render.
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
      timer = setTimeout(end, PARSE_TIMEOUT_MS);
      worker.postMessage(request);
    });
    // The worker failed to load, or the document is nested too deeply.
    worker.addEventListener("error", () => end());
    signal.addEventListener("abort", () => end());
  });
}
