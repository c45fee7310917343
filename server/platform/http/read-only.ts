import { endpoints } from "platform-contract";

import { Failure } from "../../status";
import type { Handler } from "../standard/call";

/** Seconds after which a refused write can be tried again: maintenance takes its time. */
const RETRY_S = 60;

/** The service takes no writes now (READ_ONLY). */
export const readOnly = (): Failure =>
  new Failure("UNAVAILABLE", "Unavailable: this service is read-only for maintenance; try again later", [], {
    metadata: { reason: "READ_ONLY" },
    retryAfter: RETRY_S,
  });

const refuse: Handler = () => Promise.reject(readOnly());

/** Handlers of which those that write refuse, whichever way they are called. Tokens are still exchanged. */
export const withoutWrites = (handlers: ReadonlyMap<string, Handler>): ReadonlyMap<string, Handler> => {
  const reads = new Set(
    endpoints.filter(({ method, isToken }) => method === "GET" || isToken).map(({ id }) => id),
  );
  return new Map([...handlers].map(([id, handler]) => [id, reads.has(id) ? handler : refuse]));
};
