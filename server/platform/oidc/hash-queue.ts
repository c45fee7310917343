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

let running = 0;
const waiting = new Set<() => void>();

/** Resolves when it is the caller's turn; leaves the queue if the client disconnects first. */
const turn = (client: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const leave = () => {
      waiting.delete(begin);
      reject(new ClientLeft());
    };
    const begin = () => {
      client?.removeEventListener("abort", leave);
      resolve();
    };
    client?.addEventListener("abort", leave, { once: true });
    waiting.add(begin);
  });

/**
 * Runs `work` when fewer than HASHES_AT_ONCE others are running. Throws TryAgain (503) if twenty are queued, and ClientLeft if
 * `client` is aborted before the turn. Work that has begun is not aborted.
 */
export async function inTurn<T>(work: () => Promise<T>, client?: AbortSignal): Promise<T> {
  if (client?.aborted) throw new ClientLeft();
  if (running < HASHES_AT_ONCE) running += 1;
  else if (waiting.size < MOST_WAITING) await turn(client);
  else throw new TryAgain(503, "Too many people are signing in right now", RETRY_AFTER_S);
  try {
    return await work();
  } finally {
    // Hands over the slot instead of freeing it, so that no new call can take it in between.
    const [next] = waiting;
    if (next) {
      waiting.delete(next);
      next();
    } else running -= 1;
  }
}
