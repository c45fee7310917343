import { setTimeout as sleep } from "node:timers/promises";

import { VALIDATE_ONLY, type Endpoint } from "platform-contract/endpoint";
import type { FieldViolation } from "platform-contract/status";

import type { Authenticator } from "../access/authenticate";
import { authorize, type Caller } from "../access/caller";
import type { Refused } from "../audit/refusals";
import { writes } from "../audit/writes";
import type { Config } from "../../config";
import type { Call, Handler, InTurn } from "../standard/call";
import { isOnlyChecked } from "../standard/validate-only";
import type { Log } from "../../log";
import type { UseCounter } from "../../domains/access/use-counter";
import type { Observer } from "../observe/observer";
import { Failure, invalidArgument, withUnread } from "../../status";
import { createTurns, type Places } from "../../turns";
import { internal } from "./answers";
import type { NormalBody } from "./body";
import { readIdempotencyKey } from "./idempotency-key";
import { createIdentification } from "./identify";
import { arrivalOf, codeOf, identityOf, payerOf, type Incoming } from "./incoming";
import type { ReadQuery } from "./query";
import { createRefusedWrites, type LogRefusedWrite } from "./refused-writes";
import { checkPath, type Operation } from "./router";

/**
 * Milliseconds for which a refusal is held back that says to come again soon: clients that do not wait would otherwise
 * take the process's time with nothing but refusals.
 */
const REFUSAL_MS = 1_000;
const SOON_S = 60;

const UNCHECKED = {
  field: VALIDATE_ONLY,
  description: "this operation can't be checked without doing it",
};

/** Per caller, concurrent requests. A console screen sends about a dozen. */
const SHARE = { running: 2, waiting: 20, unsent: 6 };

export interface Calls {
  /** Returns the response as a JSON value, or undefined if empty. Throws a Failure or an unexpected error. */
  perform(operation: Operation, incoming: Incoming): Promise<unknown>;
  /** The same steps for a request that is no operation of the contract, with its own tokens. */
  serve<B, T>(
    incoming: Pick<
      Incoming,
      "requestId" | "bearer" | "address" | "over" | "note" | "traceparent" | "transport"
    >,
    request: {
      /** For metrics and the request log. */
      readonly operation: string;
      codeOf(error: unknown): string;
      /** Throws UNAUTHENTICATED. */
      authenticate(): Promise<Caller>;
      /** Reads the body, after authentication and before its turn. */
      read(): Promise<B>;
      /** Takes its turns by itself, so that none is held while it only computes. */
      work(body: B, inTurn: InTurn, caller: Caller): Promise<T>;
    },
  ): Promise<T>;
  /** Converts an error to what the caller can see; logs the rest. */
  refusal(error: unknown, requestId: string): Failure;
  /** Places that requests hold now: by token, by address for tokens that were not valid before, and by caller. */
  places(): Record<"tokens" | "addresses" | "callers", Places>;
}

/** Steps of every operation on either transport: authentication, authorization, queueing, handler. */
export function createCalls(options: {
  config: Pick<Config, "rateLimit">;
  authenticator: Authenticator;
  log: Log;
  /** Maximum concurrent calls that use the database. */
  atOnce: number;
  observer?: Pick<Observer, "watch"> | undefined;
  /** Logs a write that was refused. */
  logRefusal: (refused: Refused) => Promise<void>;
  /** Counts which capabilities answered calls have needed; undefined if nobody does. */
  use?: Pick<UseCounter, "add"> | undefined;
}): Calls {
  const { authenticator, log, observer, logRefusal, use } = options;
  const { identify, places } = createIdentification({ rateLimit: options.config.rateLimit, authenticator });
  const wholes = createTurns({ atOnce: Infinity, share: SHARE });
  const logRefusedWrite = createRefusedWrites({ log, logRefusal });
  const turns = createTurns({
    atOnce: options.atOnce,
    share: SHARE,
    rests: options.atOnce === 1 ? "among others" : undefined,
  });

  /** Throws PERMISSION_DENIED, after its entry was logged in a turn of the caller's own. */
  async function authorized(
    operation: Operation,
    incoming: Incoming,
    caller: Caller,
    logRefusal: LogRefusedWrite,
  ): Promise<void> {
    try {
      requireWritable(operation.endpoint, caller);
      authorize(operation.endpoint, incoming.path, caller);
    } catch (error) {
      const over = new AbortController();
      const entry = () => logRefusal(operation, incoming, caller, error);
      // Without its entry, or a turn for it, the refusal is another one: try again.
      await turns(payerOf(caller), over.signal, entry).finally(() => {
        // Otherwise the turn counts as a response that was not sent, and a few refusals would lock the caller out.
        over.abort();
      });
      throw error;
    }
  }

  /** Turns at the database that are none of the whole request's: each ends with its work. */
  const inTurnOf =
    (payer: string): InTurn =>
    async (work) => {
      const ended = new AbortController();
      try {
        return await turns(payer, ended.signal, work);
      } finally {
        ended.abort();
      }
    };

  /** Holds one of the caller's places, and none at the database. */
  async function runBefore(
    before: NonNullable<Handler["before"]>,
    call: Call,
    operation: Operation,
    incoming: Incoming,
  ): Promise<unknown> {
    const { caller } = call;
    const inTurn = inTurnOf(payerOf(caller));
    try {
      return await wholes(payerOf(caller), incoming.over, () => before(call, inTurn));
    } catch (error) {
      await inTurn(() => logRefusedWrite(operation, incoming, caller, error));
      throw error;
    }
  }

  /** Does what a call asks for, and counts what it needed once that is done: refused calls are in the audit log. */
  async function counted<T>(caller: Caller, work: (caller: Caller) => Promise<T>): Promise<T> {
    if (!use) return work(caller);
    const own = { ...caller, uses: [] };
    const result = await work(own);
    use.add(own);
    return result;
  }

  async function perform(operation: Operation, incoming: Incoming): Promise<unknown> {
    const caller = await identify(incoming);
    const { path } = incoming;
    const record = path.uid || path.parent;
    const facts = { operation: operation.endpoint.id, actor: identityOf(caller), ...(record && { record }) };
    incoming.note?.(facts);
    const read = operation.readQuery(incoming.search);
    const work = (own: Caller) => performFor(own, operation, incoming, read);
    // A check uses no capability.
    const answer = await (isOnlyChecked({ query: read.values }) ? work(caller) : counted(caller, work));
    const made: unknown = Object(answer)["uid"];
    if (typeof made === "string") incoming.note?.({ ...facts, record: made });
    return answer;
  }

  async function performFor(
    caller: Caller,
    operation: Operation,
    incoming: Incoming,
    { values: query, violations }: ReadQuery,
  ): Promise<unknown> {
    const { endpoint, handler } = operation;
    const { path, only } = incoming;
    const checks = isOnlyChecked({ query });
    // Nobody tried to write.
    const logRefusal = checks ? async () => {} : logRefusedWrite;
    checkPath(endpoint, path);
    // Before anything is loaded, so that a refusal does not reveal what exists.
    await authorized(operation, incoming, caller, logRefusal);
    const { violation } = incoming.justification ?? {};
    if (violation) throw invalidArgument([violation]);
    if (!endpoint.body && violations.length > 0) throw invalidArgument(violations);
    if (endpoint.isToken) await requireEmpty(incoming);
    if (checks && endpoint.refusesValidateOnly) throw invalidArgument([UNCHECKED]);
    const { body, violations: doubled } = await readBody(operation, incoming, violations);
    const unread = [...violations, ...doubled];
    const { idempotencyKey: given } = incoming;
    const idempotencyKey =
      given !== undefined && endpoint.method === "POST" ? readIdempotencyKey(given) : undefined;
    const call: Call = {
      caller,
      path,
      query,
      body,
      unread,
      arrival: arrivalOf(incoming),
      note: (actor) => incoming.note?.({ operation: endpoint.id, actor, record: actor }),
      ...(only !== undefined && { only }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    };
    // What comes before a write may act in the registry.
    const before = checks ? undefined : handler.before;
    const found = before && (await runBefore(before, call, operation, incoming));
    const answer = await turns(payerOf(caller), incoming.over, async () => {
      try {
        return await handler(found === undefined ? call : { ...call, found });
      } catch (error) {
        // In the same turn: another one would wait for the responses of this caller, this one among them.
        await logRefusal(operation, incoming, caller, error);
        throw error;
      }
    });
    // Handlers with a body write, and `write` has thrown by now. This covers any that do not.
    if (unread.length > 0) throw invalidArgument(unread);
    if (!endpoint.answer) return undefined;
    // What would have been made has no uid, and nobody's secret.
    return checks ? {} : answer;
  }

  return {
    places: () => ({ ...places(), callers: sumOf(turns.places(), wholes.places()) }),

    perform: (operation, incoming) => {
      const { transport, traceparent } = incoming;
      const call = { operation: operation.endpoint.id, transport, traceparent };
      return slowToRefuse(
        observer
          ? observer.watch(call, () => perform(operation, incoming), codeOf)
          : perform(operation, incoming),
      );
    },

    serve(incoming, { operation, codeOf: codeIn, authenticate, read, work }) {
      const { transport, traceparent, over } = incoming;
      const perform = async () => {
        const caller = await identify(incoming, authenticate);
        incoming.note?.({ operation, actor: identityOf(caller) });
        const body = await read();
        const payer = payerOf(caller);
        // The whole of it holds one of the caller's places, as long as its response.
        return counted(caller, (own) => wholes(payer, over, () => work(body, inTurnOf(payer), own)));
      };
      return slowToRefuse(
        observer ? observer.watch({ operation, transport, traceparent }, perform, codeIn) : perform(),
      );
    },

    refusal(error, requestId) {
      if (!(error instanceof Failure)) {
        log.error({ requestId, err: error }, "unexpected failure");
        return internal(requestId);
      }
      if (error.options.cause !== undefined)
        log.warn({ requestId, err: error }, "refused because of an internal error");
      return error;
    },
  };
}

async function slowToRefuse<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Failure && error.name === "RESOURCE_EXHAUSTED") {
      const { retryAfter = Infinity } = error.options;
      if (retryAfter <= SOON_S) await sleep(REFUSAL_MS);
    }
    throw error;
  }
}

/** Throws PERMISSION_DENIED for a write with a token that only reads, a check of one included. */
function requireWritable(endpoint: Endpoint, { readOnly }: Caller): void {
  if (readOnly && writes(endpoint))
    throw new Failure("PERMISSION_DENIED", "Permission denied: this token only reads", [], {
      metadata: { reason: "READ_ONLY_TOKEN" },
    });
}

const sumOf = (one: Places, other: Places): Places => ({
  running: one.running + other.running,
  waiting: one.waiting + other.waiting,
  unsent: one.unsent + other.unsent,
});

/** Throws INVALID_ARGUMENT for a body: the parameters are in the query. */
async function requireEmpty(incoming: Incoming): Promise<void> {
  const fields = Object.keys(await incoming.body());
  if (fields.length > 0)
    throw invalidArgument(
      fields.map((field) => ({ field, description: "parameters belong into the query, not into the body" })),
    );
}

/** A body that cannot be parsed is reported together with violations of the query. */
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
