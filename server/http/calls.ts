import { createHash } from "node:crypto";

import type { FieldViolation } from "~/contract/status";

import type { Authenticator } from "../access/authenticate";
import { authorize, type Caller } from "../access/caller";
import type { Config } from "../config";
import type { Call, PathVariables } from "../handlers/call";
import type { Log } from "../log";
import type { Observer } from "../observe/observer";
import { Failure, invalidArgument, withUnread } from "../status";
import { internal } from "./answers";
import type { NormalBody } from "./body";
import { createKnownTokens, createRateLimit } from "./rate-limit";
import { checkPath, type Operation } from "./router";
import { createTurns } from "./turns";

/** What one caller may have on its way at once. A screen of the console asks for a dozen things. */
const SHARE = { running: 2, waiting: 20, unsent: 6 };
/** The same of one token, before anybody knows whose it is. */
const SHARE_OF_TOKEN = { running: 2, waiting: 20, unsent: Infinity };

/** One request of an operation, whatever it came over. */
export interface Incoming {
  readonly requestId: string;
  /** The token behind "Bearer". */
  readonly bearer: string | undefined;
  /** The network that it comes from. */
  readonly address: string;
  readonly transport: "http" | "grpc";
  /** The caller's trace (W3C Trace Context). */
  readonly traceparent: string | undefined;
  /** Aborted once the answer is sent, or nobody waits for it any more. */
  readonly over: AbortSignal;
  readonly path: PathVariables;
  /** Raw query, without the question mark. */
  readonly search: string;
  /** Set where the transport says which of the operations that share a method and path is meant. */
  readonly only?: string;
  /** The body as an object; read only when it is known who asks. Throws a Failure. */
  body(): Promise<Record<string, unknown>>;
}

export interface Calls {
  /** The answer as JSON would say it, undefined for an empty one. Throws a Failure, or whatever broke. */
  perform(operation: Operation, incoming: Incoming): Promise<unknown>;
  /** What the caller is told of what was thrown; the log gets what they are not told. */
  refusal(error: unknown, requestId: string): Failure;
}

/** What every operation goes through, over either transport: who asks, whether they may, their turn, the handler. */
export function createCalls(options: {
  config: Pick<Config, "rateLimit">;
  authenticator: Authenticator;
  log: Log;
  /** Calls that work with the database at once. */
  atOnce: number;
  observer?: Pick<Observer, "watch"> | undefined;
}): Calls {
  const { authenticator, log, observer } = options;
  const limit = createRateLimit(options.config.rateLimit);
  const knownTokens = createKnownTokens();
  const tokenTurns = createTurns({ atOnce: Infinity, share: SHARE_OF_TOKEN });
  const turns = createTurns({ atOnce: options.atOnce, share: SHARE, rests: options.atOnce === 1 });

  /**
   * Whoever has no valid token is counted by address: what a token says of itself is no proof that it is theirs. The
   * address is looked at before the token is, which costs the most.
   */
  async function identify({ bearer, address, over }: Incoming): Promise<Caller> {
    // Its hash: what is remembered of it opens nothing.
    const token = createHash("sha256")
      .update(bearer ?? "")
      .digest("base64url");
    if (!knownTokens.has(token)) limit.look(`address ${address}`);
    const authenticate = async (): Promise<Caller> => {
      try {
        return await authenticator.authenticate(bearer);
      } catch (error) {
        knownTokens.delete(token);
        limit.take(`address ${address}`);
        throw error;
      }
    };
    const caller = await (bearer === undefined ? authenticate() : tokenTurns(token, over, authenticate));
    knownTokens.add(token);
    limit.take(`caller ${caller.key}`);
    return caller;
  }

  async function perform(operation: Operation, incoming: Incoming): Promise<unknown> {
    const { endpoint, handler } = operation;
    const { path, only } = incoming;
    const caller = await identify(incoming);
    checkPath(endpoint, path);
    // Before anything is read or loaded: a refusal says nothing about what exists (contract B6).
    authorize(endpoint, path, caller);
    const { values: query, violations } = operation.readQuery(incoming.search);
    if (!endpoint.body && violations.length > 0) throw invalidArgument(violations);
    const { body, violations: doubled } = await readBody(operation, incoming, violations);
    const unread = [...violations, ...doubled];
    const call: Call = { caller, path, query, body, unread, ...(only !== undefined && { only }) };
    const answer = await turns(caller.key, incoming.over, () => handler(call));
    // A handler with a body writes, and `write` has refused it by now: this is for one that would not.
    if (unread.length > 0) throw invalidArgument(unread);
    return endpoint.answer ? answer : undefined;
  }

  return {
    perform: (operation, incoming) => {
      const { transport, traceparent } = incoming;
      const call = { operation: operation.endpoint.id, transport, traceparent };
      return observer
        ? observer.watch(call, () => perform(operation, incoming), codeOf)
        : perform(operation, incoming);
    },

    refusal(error, requestId) {
      if (!(error instanceof Failure)) {
        log.error({ requestId, err: error }, "unexpected failure");
        return internal(requestId);
      }
      if (error.options.cause !== undefined)
        log.warn({ requestId, err: error }, "refused for a reason of our own");
      return error;
    },
  };
}

const codeOf = (error: unknown): string => (error instanceof Failure ? error.name : "INTERNAL");

/** A body that cannot be read at all is refused with what is wrong with the query. */
async function readBody(
  { endpoint, normalizeBody }: Operation,
  incoming: Incoming,
  violations: readonly FieldViolation[],
): Promise<NormalBody> {
  if (!endpoint.body) return { body: {}, violations: [] };
  const given = await incoming.body().catch((error: unknown) => {
    throw error instanceof Failure ? withUnread(error, violations) : error;
  });
  return normalizeBody(given);
}
