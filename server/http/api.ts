import { endpoints } from "~/contract/index";

import { authorize, type Caller } from "../access/caller";
import type { Authenticator } from "../access/authenticate";
import type { Config } from "../config";
import type { Log } from "../log";
import { Failure } from "../status";
import { empty, internal, json, refusal, unknownPath } from "./answers";
import { readObject } from "./body";
import { createRateLimit } from "./rate-limit";
import { checkPath, type Operation, type PathVariables, type Router } from "./router";

export interface ApiRequest {
  readonly request: Request;
  readonly requestId: string;
  /** Raw path below the base path: nothing in it is decoded. */
  readonly path: string;
  /** Raw query, without the question mark. */
  readonly search: string;
  /** The network that it comes from. */
  readonly address: string;
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
}): (call: ApiRequest) => Promise<Response | undefined> {
  const { config, router, authenticator, log } = options;
  const limit = createRateLimit(config.rateLimit);

  async function perform(operation: Operation, path: PathVariables, call: ApiRequest): Promise<Response> {
    const { endpoint, handler } = operation;
    const caller = await identify(call);
    checkPath(endpoint, path);
    // Before anything is read or loaded: a refusal says nothing about what exists (contract B6).
    authorize(endpoint, path, caller);
    const query = operation.readQuery(call.search);
    const body = endpoint.body ? operation.normalizeBody(await readObject(call.request)) : {};
    const answer = await handler({ caller, path, query, body });
    return endpoint.answer ? json(answer) : empty();
  }

  /** Whoever has no valid token is counted by address: what a token says of itself is no proof that it is theirs. */
  async function identify({ request, address }: ApiRequest): Promise<Caller> {
    let caller: Caller;
    try {
      caller = await authenticator.authenticate(bearerOf(request));
    } catch (error) {
      limit(`address ${address}`);
      throw error;
    }
    limit(`caller ${caller.key}`);
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
