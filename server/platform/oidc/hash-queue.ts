import { availableParallelism } from "node:os";

import { TryAgain } from "./try-again";

// At most two: each takes 64 MiB and one of libuv's four threads, which the file system also needs. And a core is left
// for everything else.
export const HASHES_AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));
/** Maximum queue length; at worst a wait of about five seconds. */
const MOST_WAITING = 20;
const RETRY_AFTER_S = 5;

/** The client closed the connection while queued: there is no one to respond to. */
export class ClientLeft extends Error {
  constructor() {
    super("the client has left");
  }
}

class HashQueue {
  #running = 0;
  readonly #waiting = new Set<() => void>();

  async run<T>(work: () => Promise<T>, client?: AbortSignal): Promise<T> {
    if (client?.aborted) throw new ClientLeft();
    if (this.#running < HASHES_AT_ONCE) this.#running += 1;
    else if (this.#waiting.size < MOST_WAITING) await this.#turn(client);
    else throw new TryAgain(503, "Too many people are signing in right now", RETRY_AFTER_S);
    try {
      return await work();
    } finally {
      // Hands over the slot instead of freeing it, so that no new call can take it in between.
      const [next] = this.#waiting;
      if (next) {
        this.#waiting.delete(next);
        next();
      } else this.#running -= 1;
    }
  }

  /** Resolves when it is the caller's turn; leaves the queue if the client disconnects first. */
  #turn(client: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(begin);
        reject(new ClientLeft());
      };
      const begin = () => {
        client?.removeEventListener("abort", leave);
        resolve();
      };
      client?.addEventListener("abort", leave, { once: true });
      this.#waiting.add(begin);
    });
  }
}

/** One for the process: its cores and memory are. */
const hashes = new HashQueue();

/**
 * Runs `work` when fewer than HASHES_AT_ONCE others are running. Throws TryAgain (503) if twenty are queued, and ClientLeft if
 * `client` is aborted before the turn. Work that has begun is not aborted.
 */
export const inTurn = <T>(work: () => Promise<T>, client?: AbortSignal): Promise<T> =>
  hashes.run(work, client);
