import { TextProblem, type TextOutcome } from "./outcome";

/** In ms. Ordinary texts of a hundred kilobytes take a tenth of it. */
const LEAST_MS = 1_000;
/** Bytes for which a larger text gets another millisecond. */
const BYTES_PER_MS = 20_000;

export interface Reading<Q> {
  /** Starts the worker: one file with `serve`. */
  readonly start: () => Worker;
  readonly request: Q;
  /** Of the text. */
  readonly bytes?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Parses a text in a worker: what somebody pasted or dropped can keep a parser busy for minutes. Rejects with a
 * TextProblem if the parser refuses it, if it takes longer than a second (for megabytes: some more), or if the worker fails.
 */
export function readInWorker<Q, A>({ start, request, bytes = 0, signal }: Reading<Q>): Promise<A> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const worker = start();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
      worker.terminate();
    };
    const fail = (error: Error) => {
      end();
      reject(error);
    };
    const cancel = () => fail(signal?.reason);
    worker.addEventListener("message", ({ data }: MessageEvent<"ready" | TextOutcome<A>>) => {
      if (data !== "ready") {
        end();
        if ("problem" in data) reject(new TextProblem(data.problem));
        else resolve(data.value);
        return;
      }
      const late = () => fail(new TextProblem("This takes too long to read. Leave some of it out."));
      timer = setTimeout(late, LEAST_MS + bytes / BYTES_PER_MS);
      worker.postMessage(request);
    });
    // The worker failed to load, or the text is nested too deeply.
    worker.addEventListener("error", () => fail(new TextProblem("This couldn't be read.")));
    signal?.addEventListener("abort", cancel);
  });
}
