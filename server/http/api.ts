import { createHash } from "node:crypto";

import { endpoints } from "~/contract/index";
import type { FieldViolation } from "~/contract/status";

import { authorize, type Caller } from "../access/caller";
import type { Authenticator } from "../access/authenticate";
import type { Config } from "../config";
import type { PathVariables } from "../handlers/call";
import type { Log } from "../log";
import { Failure, invalidArgument, withUnread } from "../status";
import { empty, internal, json, refusal, unknownPath } from "./answers";
import { readObject, type NormalBody } from "./body";
import { createKnownTokens, createRateLimit } from "./rate-limit";
import { checkPath, type Operation, type Router } from "./router";
import { createTurns } from "./turns";

/** What one caller may have on its way at once. A screen of the console asks for a dozen things. */
const SHARE = { running: 2, waiting: 20, unsent: 6 };
/** The same of one token, before anybody knows whose it is. */
const SHARE_OF_TOKEN = { running: 2, waiting: 20, unsent: Infinity };

export interface ApiRequest {
  readonly request: Request;
  readonly requestId: string;
  /** Raw path below the base path: nothing in it is decoded. */
  readonly path: string;
  /** Raw query, without the question mark. */
  readonly search: string;
  /** The network that it comes from. */
  readonly address: string;
  /** Aborted once the answer is sent, or the connection is closed. */
  readonly over: AbortSignal;
}

/**
 * Answers one request of the API; undefined when no operation has this path. Every refusal becomes a
 * google.rpc.Status, whatever was thrown.
 */
export function createApi(options: {
  config: Config;
  router: Router;
  authenticator: Authenticator;
  log: Log;
  /** Calls that work with the database at once. */
  atOnce: number;
}): (call: ApiRequest) => Promise<Response | undefined> {
  const { config, router, authenticator, log } = options;
  const limit = createRateLimit(config.rateLimit);
  const knownTokens = createKnownTokens();
  const tokenTurns = createTurns({ atOnce: Infinity, share: SHARE_OF_TOKEN });
  const turns = createTurns({ atOnce: options.atOnce, share: SHARE, rests: options.atOnce === 1 });

  async function perform(operation: Operation, path: PathVariables, call: ApiRequest): Promise<Response> {
    const { endpoint, handler } = operation;
    const caller = await identify(call);
    checkPath(endpoint, path);
    // Before anything is read or loaded: a refusal says nothing about what exists (contract B6).
    authorize(endpoint, path, caller);
    const { values: query, violations } = operation.readQuery(call.search);
    if (!endpoint.body && violations.length > 0) throw invalidArgument(violations);
    const { body, violations: doubled } = await readBody(operation, call.request, violations);
    const unread = [...violations, ...doubled];
    const answer = await turns(caller.key, call.over, () => handler({ caller, path, query, body, unread }));
    // A handler with a body writes, and `write` has refused it by now: this is for one that would not.
    if (unread.length > 0) throw invalidArgument(unread);
    return endpoint.answer ? json(answer) : empty();
  }

  /**
   * Whoever has no valid token is counted by address: what a token says of itself is no proof that it is theirs. The
   * address is looked at before the token is, which costs the most.
   */
  async function identify({ request, address, over }: ApiRequest): Promise<Caller> {
    const bearer = bearerOf(request);
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

  function refuse(error: unknown, area: string, call: ApiRequest): Response {
    const domain = `${area}.${config.serviceDomain}`;
    if (!(error instanceof Failure)) {
      log.error({ requestId: call.requestId, err: error }, "unexpected failure");
      return refusal(internal(call.requestId), domain);
    }
    if (error.options.cause !== undefined)
      log.warn({ requestId: call.requestId, err: error }, "refused for a reason of our own");
    if (error.name !== "UNAUTHENTICATED") return refusal(error, domain);
    return refusal(error, domain, { "www-authenticate": challenge(config, call.request, error.message) });
  }

  return async (call) => {
    const match = router(call.request.method, call.path);
    if (match.kind === "nothing") {
      const area = apiArea(call.path);
      return area === undefined ? undefined : refuse(unknownPath(), area, call);
    }
    if (match.kind === "wrong method") {
      const allow = [
        ...new Set(match.allowed.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))),
      ];
      const headers = { allow: [...allow, "OPTIONS"].join(", ") };
      if (call.request.method === "OPTIONS") return new Response(null, { status: 204, headers });
      const failure = new Failure(
        "UNIMPLEMENTED",
        `Unimplemented: this path does not take ${call.request.method}`,
      );
      return refusal(failure, `${match.area}.${config.serviceDomain}`, headers);
    }
    const { operation, path } = match;
    try {
      return await perform(operation, path, call);
    } catch (error) {
      return refuse(error, operation.area, call);
    }
  };
}

/** A body that cannot be read at all is refused with what is wrong with the query. */
async function readBody(
  { endpoint, normalizeBody }: Operation,
  request: Request,
  violations: readonly FieldViolation[],
): Promise<NormalBody> {
  if (!endpoint.body) return { body: {}, violations: [] };
  const given = await readObject(request).catch((error: unknown) => {
    throw error instanceof Failure ? withUnread(error, violations) : error;
  });
  return normalizeBody(given);
}

const AREAS: ReadonlySet<string | undefined> = new Set(endpoints.map(({ path }) => path.split("/")[1]));

/** The area of a path that has the form of an operation (`/iam/v2/...`) in an area of the contract. */
export function apiArea(path: string): string | undefined {
  const area = versionedArea(path);
  return AREAS.has(area) ? area : undefined;
}

/** The same for any word: the console's own addresses can look like it (`/repos/v2`). */
export const versionedArea = (path: string): string | undefined =>
  /^\/([a-z]+)\/v\d[a-z0-9]*(?:\/|$)/.exec(path)?.[1];

/** RFC 6750, section 2.1. */
const bearerOf = (request: Request): string | undefined =>
  /^Bearer +([\w.~+/-]+=*) *$/i.exec(request.headers.get("authorization") ?? "")?.[1];

/** RFC 6750, section 3: a reason only for those who sent a token; the message is copied as the gateway does (contract 0.1). */
function challenge(config: Config, request: Request, message: string): string {
  const quoted = message.replaceAll(/[^\x20-\x7e]/g, "?").replaceAll(/["\\]/g, "'");
  const realm = `Bearer realm="${config.publicUrl}"`;
  return request.headers.has("authorization")
    ? `${realm}, error="invalid_token", error_description="${quoted}"`
    : realm;
}
