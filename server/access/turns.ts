import { setTimeout } from "node:timers/promises";

import { Failure } from "../status";

/** Milliseconds of work after which the process rests, and how many times as long: others get most of its time. */
const TURN = 2;
const REST = 2;

/** Works that take turns at a time; each waits for all others, and one more would wait too long. */
const WORKS = 100;

let works = 0;
let queue: Promise<unknown> = Promise.resolve();
let worked = 0;

/**
 * Does work that anybody can make as long as they like, in small steps, beside whatever else the process has to do. All
 * such works take turns with each other. Throws RESOURCE_EXHAUSTED when there are too many.
 */
export async function inTurns<T>(work: Iterator<void, T>): Promise<T> {
  if (works >= WORKS)
    throw new Failure(
      "RESOURCE_EXHAUSTED",
      "Resource exhausted: too many tokens are being verified, try again",
      [],
      {
        retryAfter: 5,
      },
    );
  works += 1;
  try {
    for (;;) {
      const turn = queue.then(() => takeTurn(work));
      // What one work throws is its own affair.
      queue = turn.catch(() => undefined);
      const step = await turn;
      if (step.done) return step.value;
    }
  } finally {
    works -= 1;
  }
}

async function takeTurn<T>(work: Iterator<void, T>): Promise<IteratorResult<void, T>> {
  const since = performance.now();
  let step = work.next();
  while (!step.done && performance.now() - since < TURN) step = work.next();
  worked += performance.now() - since;
  if (worked < TURN) return step;
  const rest = Math.ceil(REST * worked);
  worked = 0;
  await setTimeout(rest);
  return step;
}
