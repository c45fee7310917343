import { setTimeout } from "node:timers/promises";

import { Failure } from "../../status";

/** Milliseconds of work before a pause, and the pause as a multiple of it: most CPU time goes to others. */
const TURN = 2;
const REST = 2;

/** Maximum concurrent jobs; each waits for all others, so further ones would wait too long. */
const WORKS = 100;

let works = 0;
let queue: Promise<unknown> = Promise.resolve();
let worked = 0;

/**
 * Runs work whose duration callers control in small steps, interleaved with the rest of the process and with all other
 * such work. Throws RESOURCE_EXHAUSTED if there is too much.
 */
export async function inTurns<T>(work: Iterator<void, T>): Promise<T> {
  if (works >= WORKS)
    throw new Failure(
      "RESOURCE_EXHAUSTED",
      "Resource exhausted: too much work of this kind is waiting, try again",
      [],
      {
        retryAfter: 5,
      },
    );
  works += 1;
  try {
    for (;;) {
      const turn = queue.then(() => takeTurn(work));
      // Errors of one job do not affect the others.
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
