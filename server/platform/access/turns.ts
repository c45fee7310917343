import { setTimeout } from "node:timers/promises";

import { Failure } from "../../status";

/** Milliseconds of work before a pause, and the pause as a multiple of it: most CPU time goes to others. */
const TURN = 2;
const REST = 2;

/** Maximum concurrent jobs; each waits for all others, so further ones would wait too long. */
const WORKS = 100;

class SmallSteps {
  #works = 0;
  #queue: Promise<unknown> = Promise.resolve();
  /** Milliseconds of work since the last pause. */
  #worked = 0;

  async run<T>(work: Iterator<void, T>): Promise<T> {
    if (this.#works >= WORKS)
      throw new Failure(
        "RESOURCE_EXHAUSTED",
        "Resource exhausted: too much work of this kind is waiting, try again",
        [],
        {
          retryAfter: 5,
        },
      );
    this.#works += 1;
    try {
      for (;;) {
        const turn = this.#queue.then(() => this.#takeTurn(work));
        // Errors of one job do not affect the others.
        this.#queue = turn.catch(() => undefined);
        const step = await turn;
        if (step.done) return step.value;
      }
    } finally {
      this.#works -= 1;
    }
  }

  async #takeTurn<T>(work: Iterator<void, T>): Promise<IteratorResult<void, T>> {
    const since = performance.now();
    let step = work.next();
    while (!step.done && performance.now() - since < TURN) step = work.next();
    this.#worked += performance.now() - since;
    if (this.#worked < TURN) return step;
    const rest = Math.ceil(REST * this.#worked);
    this.#worked = 0;
    await setTimeout(rest);
    return step;
  }
}

/** One for the process: its only thread is what is shared. */
const steps = new SmallSteps();

/**
 * Runs work whose duration callers control in small steps, interleaved with the rest of the process and with all other
 * such work. Throws RESOURCE_EXHAUSTED if there is too much.
 */
export const inTurns = <T>(work: Iterator<void, T>): Promise<T> => steps.run(work);
