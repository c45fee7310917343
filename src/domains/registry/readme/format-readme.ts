import { readInWorker } from "~/frame/untrusted-text/read-in-worker";
import type { Node } from "./readme-tree";

export interface ReadmeRequest {
  readonly content: string;
  /** Prefix of footnote ids. */
  readonly prefix: string;
}

const startWorker = (): Worker =>
  new Worker(new URL("./readme-worker.ts", import.meta.url), { type: "module", name: "readme" });

/**
 * Parses a readme in a worker: readmes are untrusted, and some documents keep a parser busy for minutes. Resolves to
 * undefined if that takes longer than a second, fails, or yields more than a page can render.
 */
export const formatReadme = (
  request: ReadmeRequest,
  signal: AbortSignal,
  start: () => Worker = startWorker,
): Promise<Node | undefined> =>
  readInWorker<ReadmeRequest, Node | undefined>({ start, request, signal }).catch(() => undefined);
