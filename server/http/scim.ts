import { isUid } from "~/contract/aip";

import type { Config } from "../config";
import { ScimError } from "../scim/error";
import type { ScimAnswer } from "../scim/messages";
import type { ScimService } from "../scim/service";
import { Failure } from "../status";
import { VARY } from "./answers";
import { bearerOf, challenge, type ApiRequest } from "./api";
import { readObject } from "./body";
import { arrivalOf, type Calls } from "./calls";

const TYPE = "application/scim+json";
const encoder = new TextEncoder();

function respond({ status, body, headers }: ScimAnswer): Response {
  const bytes = body === undefined ? null : encoder.encode(JSON.stringify(body));
  return new Response(bytes, {
    status,
    headers: {
      ...(bytes && { "content-type": TYPE, "content-length": String(bytes.length) }),
      "cache-control": "no-store",
      vary: VARY,
      ...headers,
    },
  });
}

/** A failure that is not SCIM's own, as a SCIM error. */
function asScimError(failure: Failure): ScimError {
  const message = failure.message.replace(/^[A-Z][a-z ]+: /, "");
  // The body could not be read; everything else is checked by SCIM itself.
  if (failure.name === "INVALID_ARGUMENT") return new ScimError(400, message, "invalidSyntax");
  return new ScimError(failure.http, message);
}

const PATH = /^\/scim\/v2\/([0-9a-f]{40}(?:\/[0-9a-f]{16})*)(\/.*)?$/;

/** For metrics, which must not grow with what callers invent. */
const operationOf = (path: string): string =>
  `scim.${/^\/(Users|Groups|Schemas|ResourceTypes|ServiceProviderConfig)(?:\/|$)/.exec(path)?.[1] ?? "other"}`;

const CODES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  409: "ALREADY_EXISTS",
  412: "ABORTED",
};

const codeOf = (error: unknown): string =>
  error instanceof ScimError
    ? (CODES[error.status] ?? "UNIMPLEMENTED")
    : error instanceof Failure
      ? error.name
      : "INTERNAL";

/** Handles requests below `/scim`: SCIM of identity providers, with SCIM's errors; undefined for any other path. */
export function createScimApi(options: {
  config: Config;
  scim: ScimService;
  calls: Calls;
}): (call: ApiRequest) => Promise<Response | undefined> {
  const { config, scim, calls } = options;

  function refuse(error: unknown, { request, requestId }: ApiRequest): Response {
    const allow = Object(error)["allow"] as string | undefined;
    if (error instanceof ScimError)
      return respond({ status: error.status, body: error.toBody(), headers: allow ? { allow } : {} });
    const failure = calls.refusal(error, requestId);
    const { retryAfter } = failure.options;
    const refused = asScimError(failure);
    return respond({
      status: refused.status,
      body: refused.toBody(),
      headers: {
        ...(retryAfter !== undefined && { "retry-after": String(Math.ceil(retryAfter)) }),
        ...(failure.name === "UNAUTHENTICATED" && {
          "www-authenticate": challenge(config, request.headers.get("authorization"), failure.message),
        }),
      },
    });
  }

  return async (call) => {
    if (!/^\/scim(?:\/|$)/.test(call.path)) return undefined;
    const { request, search, over, address, client, requestId, note } = call;
    try {
      const [, provider = "", path = ""] = PATH.exec(call.path) ?? [];
      if (!isUid(provider)) throw new ScimError(404, "there is no SCIM service at this address");
      const { method } = request;
      const token = bearerOf(request.headers.get("authorization"));
      const traceparent = request.headers.get("traceparent") ?? undefined;
      const arrival = arrivalOf({ requestId, transport: "http", client });
      const answer = await calls.serve(
        { requestId, bearer: token, address, over, note, traceparent, transport: "http" },
        {
          operation: operationOf(path),
          codeOf,
          authenticate: () => scim.authenticate(provider, token),
          read: () =>
            method === "GET" || method === "HEAD" ? Promise.resolve({}) : readObject(request, TYPE),
          work: (body) =>
            scim.perform({
              method,
              provider,
              path,
              search: new URLSearchParams(search),
              body,
              token: token ?? "",
              ifMatch: request.headers.get("if-match") ?? undefined,
              ifNoneMatch: request.headers.get("if-none-match") ?? undefined,
              arrival,
            }),
        },
      );
      return respond(answer);
    } catch (error) {
      return refuse(error, call);
    }
  };
}
