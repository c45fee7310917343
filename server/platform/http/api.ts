import type { IncomingMessage } from "node:http";

import { endpoints } from "platform-contract";
import { CHANGE_JUSTIFICATION } from "platform-contract/audit/justification";

import type { Config } from "../../config";
import { Failure } from "../../status";
import type { Over } from "../../turns";
import { empty, json, refusal, unknownPath, unserved, type Answer } from "./answers";
import { readObject } from "./body";
import type { Calls } from "./calls";
import { IDEMPOTENCY_KEY } from "./idempotency-key";
import type { CallFacts, Incoming } from "./incoming";
import { readJustification } from "./justification";
import { headerOf } from "./messages";
import type { Router } from "./router";

export interface ApiRequest {
  readonly method: string;
  readonly request: IncomingMessage;
  readonly requestId: string;
  /** Raw path below the base path, not percent-decoded. */
  readonly path: string;
  /** Raw query, without the question mark. */
  readonly search: string;
  /** The client's network (see `addressOf`), for rate limits. */
  readonly address: string;
  note(facts: CallFacts): void;
  /** Who sent it, for the audit log. */
  readonly client: Incoming["client"];
  /** Aborted when the response has been sent or the connection is closed. */
  readonly over: Over;
}

/** Handles an API request; returns undefined if no operation has this path. Any error becomes a google.rpc.Status. */
export function createApi(options: {
  config: Config;
  router: Router;
  calls: Calls;
}): (call: ApiRequest) => Promise<Answer | undefined> {
  const { config, router, calls } = options;

  function refuse(error: unknown, area: string, call: ApiRequest): Answer {
    const domain = `${area}.${config.serviceDomain}`;
    const failure = calls.refusal(error, call.requestId);
    if (failure.name !== "UNAUTHENTICATED") return refusal(failure, domain);
    const authorization = headerOf(call.request, "authorization");
    return refusal(failure, domain, {
      "www-authenticate": challenge(config, authorization, failure.message),
    });
  }

  return async (call) => {
    const match = router(call.method, call.path);
    if (match.kind === "nothing") {
      const area = apiArea(call.path);
      if (area === undefined) return undefined;
      return refuse(unknownPath(), area, call);
    }
    if (match.kind === "unserved") return refuse(unserved(), match.area, call);
    if (match.kind === "wrong method") {
      const allow = [
        ...new Set(match.allowed.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))),
      ];
      const headers = { allow: [...allow, "OPTIONS"].join(", ") };
      if (call.method === "OPTIONS") return { status: 204, headers };
      const failure = new Failure(
        "UNIMPLEMENTED",
        `Unimplemented: this path does not support ${call.method}`,
      );
      return refusal(failure, `${match.area}.${config.serviceDomain}`, headers);
    }
    const { operation, path } = match;
    const { request, requestId, address, client, over, search } = call;
    const bearer = bearerOf(headerOf(request, "authorization"));
    try {
      const body = () => readObject(request);
      const traceparent = headerOf(request, "traceparent");
      const idempotencyKey = headerOf(request, IDEMPOTENCY_KEY);
      const justification = readJustification(operation.endpoint, headerOf(request, CHANGE_JUSTIFICATION));
      const incoming = {
        requestId,
        bearer,
        address,
        client,
        note: call.note,
        over,
        path,
        search,
        body,
        traceparent,
        idempotencyKey,
        justification,
      };
      const answer = await calls.perform(operation, { ...incoming, transport: "http" });
      return operation.endpoint.answer ? json(answer) : empty();
    } catch (error) {
      return refuse(error, operation.area, call);
    }
  };
}

const AREAS: ReadonlySet<string | undefined> = new Set(endpoints.map(({ path }) => path.split("/")[1]));

/** Paths at which programs look for an API, a registry or metrics: a page there would mislead them. `/api` itself is a screen. */
const RESERVED = /^\/(?:(sts|scim|metrics|v2)(?:\/|$)|(api)\/)/;

/** Documents that programs look for. */
const WELL_KNOWN = /^\/\.well-known(?:\/|$)/;

/** Returns the area of a path shaped like an operation (`/iam/v2/...`) if the contract has that area, or a reserved one. */
export function apiArea(path: string): string | undefined {
  if (WELL_KNOWN.test(path)) return "platform";
  // A slash too many or capitals: no operation, but meant as one.
  const meant = path.replace(/^\/+/, "/").toLowerCase();
  const [, whole, api] = RESERVED.exec(meant) ?? [];
  const reserved = whole ?? api;
  if (reserved !== undefined) return reserved === "v2" ? "registry" : reserved;
  const area = versionedArea(meant);
  return AREAS.has(area) ? area : undefined;
}

/** Same for any area name: the console's own paths can have this shape (`/repos/v2`). */
export const versionedArea = (path: string): string | undefined =>
  /^\/([a-z]+)\/v\d[a-z0-9]*(?:\/|$)/.exec(path)?.[1];

/** RFC 6750, section 2.1. */
export const bearerOf = (header: string | undefined): string | undefined =>
  /^Bearer +([\w.~+/-]+=*) *$/i.exec(header ?? "")?.[1];

/** RFC 6750, section 3: error details only if a token was sent, with the message as in the gateway. */
export function challenge(config: Config, authorization: string | undefined, message: string): string {
  const quoted = message.replaceAll(/[^\x20-\x7e]/g, "?").replaceAll(/["\\]/g, "'");
  const realm = `Bearer realm="${config.publicUrl}"`;
  return authorization !== undefined
    ? `${realm}, error="invalid_token", error_description="${quoted}"`
    : realm;
}
