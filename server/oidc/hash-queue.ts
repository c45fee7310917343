import { TryAgain } from "./try-again";

// Two at a time: each holds 64 MiB and a thread of libuv's four, which the file system needs too.
const MOST_AT_ONCE = 2;
/** Waiting. Whoever comes then waits at most about three seconds. */
const MOST_WAITING = 20;
const RETRY_AFTER_S = 5;

/** The client closed the connection before its turn came: there is nobody to answer. */
export class ClientLeft extends Error {
  constructor() {
    super("the client has left");
  }
}

let running = 0;
const waiting = new Set<() => void>();

/** Resolves when it is this one's turn; one that leaves before gives its place to the next. */
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
 * Runs `work` when fewer than two others do. Throws TryAgain (503) when twenty wait already, and ClientLeft when
 * `client` is aborted before the turn comes: what has begun is finished.
 */
export async function inTurn<T>(work: () => Promise<T>, client?: AbortSignal): Promise<T> {
  if (client?.aborted) throw new ClientLeft();
  if (running < MOST_AT_ONCE) running += 1;
  else if (waiting.size < MOST_WAITING) await turn(client);
  else throw new TryAgain(503, "Too many people are signing in right now", RETRY_AFTER_S);
  try {
    return await work();
  } finally {
    // The place is handed on rather than freed, so that nobody slips in between.
    const [next] = waiting;
    if (next) {
      waiting.delete(next);
      next();
    } else running -= 1;
  }
}
