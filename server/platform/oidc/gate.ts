import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

import type { Config } from "../../config";
import { Failure } from "../../status";
import { createTurns } from "../../turns";
import { addressOf, Refusal } from "./requests";

/** Requests of all addresses that are worked on at once: more of them only take the time of everybody else. */
const AT_ONCE = 2;
/** Per address. Wide enough for an office, or for all who come through a proxy that is not trusted. */
const SHARE = { running: 1, waiting: 100, unsent: Infinity };
/** Milliseconds after which a request gives its turn back: what lasts longer waits for a body, a hash or another service. */
const WORKING_MS = 100;
const RETRY_AFTER_S = 2;

/**
 * Runs what answers a request, in turns by address, so that a flood of sign-ins leaves the service's time to others.
 * Throws a Refusal (503) if too many requests of the address are waiting.
 */
export type Gate = (
  request: IncomingMessage,
  response: ServerResponse,
  work: () => Promise<void>,
) => Promise<void>;

export function createGate(config: Config): Gate {
  const turns = createTurns({ atOnce: AT_ONCE, share: SHARE, rests: "crowded" });
  return async (request, response, work) => {
    const over = new AbortController();
    response.once("close", () => over.abort());
    let working: Promise<void> | undefined;
    try {
      await turns(addressOf(config, request), over.signal, async () => {
        working = work();
        // Whoever waits for `working` hears of its failure.
        await Promise.race([working.catch(() => undefined), sleep(WORKING_MS, undefined, { ref: false })]);
      });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw new Refusal(
        503,
        "Too many people are signing in right now",
        `Try again in ${RETRY_AFTER_S} seconds.`,
        { "retry-after": String(RETRY_AFTER_S) },
      );
    }
    await working;
  };
}
