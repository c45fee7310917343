import { TextProblem, type TextOutcome } from "./outcome";

/** Serves a parser in this worker. A TextProblem that it throws is an answer, anything else an error of the worker. */
export function serve<Q, A>(read: (request: Q) => A): void {
  addEventListener("message", ({ data }: MessageEvent<Q>) => {
    let outcome: TextOutcome<A>;
    try {
      outcome = { value: read(data) };
    } catch (error) {
      if (!(error instanceof TextProblem)) throw error;
      outcome = { problem: error.message };
    }
    postMessage(outcome);
  });
  // The time limit starts once this code has loaded.
  postMessage("ready");
}
