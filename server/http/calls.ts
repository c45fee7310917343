import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import type { Endpoint } from "~/contract/endpoint";
import { endpoints } from "~/contract/index";
import type { FieldViolation } from "~/contract/status";

import type { Authenticator } from "../access/authenticate";
import { authorize, type Caller } from "../access/caller";
import { isLogged, writes, type Refused } from "../audit/refusals";
import type { Config } from "../config";
import type { Call, PathVariables } from "../handlers/standard/call";
import type { Log } from "../log";
import type { Observer } from "../observe/observer";
import { Failure, invalidArgument, withUnread } from "../status";
import type { Arrival } from "../store/database";
import { personUid } from "../store/uids";
import { createTurns, type Over, type Places } from "../turns";
import { internal } from "./answers";
import type { NormalBody } from "./body";
import { readIdempotencyKey } from "./idempotency-key";
import { createKnownTokens, createRateLimit } from "./rate-limit";
import { checkPath, type Operation } from "./router";

/** Per caller, concurrent requests. A console screen sends about a dozen. */
const SHARE = { running: 2, waiting: 20, unsent: 6 };
/** Same per token, before its caller is known. */
const SHARE_OF_TOKEN = { running: 2, waiting: 20, unsent: Infinity };

/**
 * Per address, tokens that were not valid before and are being verified: anybody can make up tokens. Wide enough for
 * everyone behind one address after a restart.
 */
const SHARE_OF_ADDRESS = { running: 2, waiting: 1_000, unsent: Infinity };

export interface CallFacts {
  readonly operation: string;
  /** Uid of the caller's identity. */
  readonly actor: string;
  /** Uid of the record in the path, or of the one that was created. */
  readonly record?: string;
}

/** A request of an operation, over any transport. */
export interface Incoming {
  readonly requestId: string;
  /** The bearer token, without "Bearer". */
  readonly bearer: string | undefined;
  /** The client's network (see `addressOf`), for rate limits. */
  readonly address: string;
  readonly transport: "http" | "grpc";
  /** For the log: the client's own address, and what it says it is. */
  readonly client: { readonly address: string; readonly userAgent: string | undefined };
  /** The caller's trace (W3C Trace Context). */
  readonly traceparent: string | undefined;
  /** Aborted when the response has been sent or the client is gone. */
  readonly over: Over;
  readonly path: PathVariables;
  /** Raw query, without the question mark. */
  readonly search: string;
  /** Set if the transport states which of several operations with the same method and path is meant. */
  readonly only?: string;
  /** The Idempotency-Key header, or metadata of that name. */
  readonly idempotencyKey?: string | undefined;
  /** Gets what the line of the request log says about the call. */
  note?(facts: CallFacts): void;
  /** The body as an object; only read after authentication. Throws a Failure. */
  body(): Promise<Record<string, unknown>>;
}

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
      work(body: B): Promise<T>;
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
}): Calls {
  const { authenticator, log, observer, logRefusal } = options;
  const limit = createRateLimit(options.config.rateLimit);
  const knownTokens = createKnownTokens();
  const tokenTurns = createTurns({ atOnce: Infinity, share: SHARE_OF_TOKEN });
  const strangerTurns = createTurns({ atOnce: 16, share: SHARE_OF_ADDRESS, keepsFree: 1 });
  const turns = createTurns({ atOnce: options.atOnce, share: SHARE, rests: options.atOnce === 1 });

  /** Takes nothing if others have emptied the bucket meanwhile: the caller learns what is wrong with the token. */
  function charge(address: string): void {
    try {
      limit.take(`address ${address}`);
    } catch {
      // `look` refuses the next one.
    }
  }

  /**
   * Requests without a valid token count against their address, since an unverified token's claims prove nothing.
   * Checks the address before verifying the token, the most expensive step.
   */
  async function identify(
    { bearer, address, over }: Pick<Incoming, "bearer" | "address" | "over">,
    verify = () => authenticator.authenticate(bearer),
  ): Promise<Caller> {
    // Store only the hash: it cannot be used to sign in.
    const token = createHash("sha256")
      .update(bearer ?? "")
      .digest("base64url");
    if (!knownTokens.has(token)) limit.look(`address ${address}`);
    const authenticate = async (): Promise<Caller> => {
      const from = performance.now();
      try {
        return await verify();
      } catch (error) {
        // Any other failure, such as keys that cannot be read, says nothing against a token that was valid before.
        const isInvalid = codeOf(error) === "UNAUTHENTICATED";
        if (isInvalid) knownTokens.delete(token);
        if (!knownTokens.has(token)) {
          charge(address);
          // Half of the time goes to others; waiting for an issuer took none.
          if (bearer !== undefined && isInvalid) await sleep(performance.now() - from);
        }
        throw error;
      }
    };
    const inTurn = () =>
      knownTokens.has(token) ? authenticate() : strangerTurns(address, over, authenticate);
    const caller = await (bearer === undefined ? authenticate() : tokenTurns(token, over, inTurn));
    knownTokens.add(token);
    limit.take(`caller ${payerOf(caller)}`);
    return caller;
  }

  /** Logs a write that was refused, also if the client is gone. */
  async function leaveEntry({ endpoint }: Operation, incoming: Incoming, caller: Caller, error: unknown) {
    if (!(error instanceof Failure) || !writes(endpoint) || !isLogged(error.name)) return;
    const { issuer, subject, client } = caller;
    const identity = identityOf(caller);
    const { capability, resource } = error.options.metadata ?? {};
    const refused = {
      endpoint: meant(endpoint, capability),
      path: incoming.path,
      // Where it was denied, if the body says where.
      resource,
      caller: { issuer, subject, client, identity },
      arrival: arrivalOf(incoming),
      reason: error.name,
    };
    const { requestId } = incoming;
    await logRefusal(refused).catch((err: unknown) =>
      log.error({ requestId, err }, "a refusal is missing in the audit log"),
    );
  }

  /** Throws PERMISSION_DENIED, after its entry was logged in a turn of the caller's own. */
  async function authorized(operation: Operation, incoming: Incoming, caller: Caller): Promise<void> {
    try {
      authorize(operation.endpoint, incoming.path, caller);
    } catch (error) {
      const over = new AbortController();
      const entry = () => leaveEntry(operation, incoming, caller, error);
      await turns(payerOf(caller), over.signal, entry).catch((err: unknown) =>
        log.error({ requestId: incoming.requestId, err }, "a refusal is missing in the audit log"),
      );
      // Otherwise the turn counts as a response that was not sent, and a few refusals would lock the caller out.
      over.abort();
      throw error;
    }
  }

  async function perform(operation: Operation, incoming: Incoming): Promise<unknown> {
    const caller = await identify(incoming);
    const { path } = incoming;
    const record = path.uid || path.parent;
    const facts = { operation: operation.endpoint.id, actor: identityOf(caller), ...(record && { record }) };
    incoming.note?.(facts);
    const answer = await performFor(caller, operation, incoming);
    const made = Object(answer)["uid"] as unknown;
    if (typeof made === "string") incoming.note?.({ ...facts, record: made });
    return answer;
  }

  async function performFor(caller: Caller, operation: Operation, incoming: Incoming): Promise<unknown> {
    const { endpoint, handler } = operation;
    const { path, only } = incoming;
    checkPath(endpoint, path);
    // Before anything is read or loaded, so that a refusal does not reveal what exists.
    await authorized(operation, incoming, caller);
    const { values: query, violations } = operation.readQuery(incoming.search);
    if (!endpoint.body && violations.length > 0) throw invalidArgument(violations);
    if (endpoint.isToken) await requireEmpty(incoming);
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
    const answer = await turns(payerOf(caller), incoming.over, async () => {
      try {
        return await handler(call);
      } catch (error) {
        // In the same turn: another one would wait for the responses of this caller, this one among them.
        await leaveEntry(operation, incoming, caller, error);
        throw error;
      }
    });
    // Handlers with a body write, and `write` has thrown by now. This covers any that do not.
    if (unread.length > 0) throw invalidArgument(unread);
    return endpoint.answer ? answer : undefined;
  }

  return {
    places: () => ({
      tokens: tokenTurns.places(),
      addresses: strangerTurns.places(),
      callers: turns.places(),
    }),

    perform: (operation, incoming) => {
      const { transport, traceparent } = incoming;
      const call = { operation: operation.endpoint.id, transport, traceparent };
      return observer
        ? observer.watch(call, () => perform(operation, incoming), codeOf)
        : perform(operation, incoming);
    },

    serve(incoming, { operation, codeOf: codeIn, authenticate, read, work }) {
      const { transport, traceparent, over } = incoming;
      const perform = async () => {
        const caller = await identify(incoming, authenticate);
        incoming.note?.({ operation, actor: identityOf(caller) });
        const body = await read();
        return turns(payerOf(caller), over, () => work(body));
      };
      return observer ? observer.watch({ operation, transport, traceparent }, perform, codeIn) : perform();
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

/** The operation with the same method and path that was denied, if the capability says so. */
const meant = (endpoint: Endpoint, capability: string | undefined): Endpoint =>
  endpoints.find(({ shares, access }) => shares === endpoint.id && access.needs.join(",") === capability) ??
  endpoint;

/** Whose share of the service a call uses: limits of tokens must not multiply it. */
const payerOf = ({ principal, key }: Caller): string => principal ?? key;

/** The identity that the log names; a newcomer becomes this person with their first write. */
const identityOf = ({ identities, issuer, subject }: Caller): string =>
  identities[0] ?? personUid(issuer, subject);

export const arrivalOf = ({
  requestId,
  transport,
  client,
}: Pick<Incoming, "requestId" | "transport" | "client">): Arrival => ({
  requestId,
  transport,
  address: client.address,
  ...(client.userAgent !== undefined && { userAgent: client.userAgent }),
});

const codeOf = (error: unknown): string => (error instanceof Failure ? error.name : "INTERNAL");

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
