import type { IncomingMessage } from "node:http";

import { isUid } from "platform-contract/aip";

import type { Config } from "../../config";
import { ScimError } from "../scim/error";
import type { ScimAnswer } from "../scim/messages";
import type { ScimService } from "../scim/service";
import { Failure } from "../../status";
import { VARY, type Answer } from "./answers";
import { bearerOf, challenge, type ApiRequest } from "./api";
import { readObject } from "./body";
import { readOnly } from "./read-only";
import type { Calls } from "./calls";
import { answerWith, jsonFile, type ConsoleFile } from "./console-files";
import { arrivalOf } from "./incoming";
import { headerOf } from "./messages";

const TYPE = "application/scim+json";

/** Written and packed once. */
const files = new WeakMap<object, ConsoleFile>();

function constant(request: IncomingMessage, body: object): Answer {
  const file = files.get(body) ?? { ...jsonFile(body), type: TYPE };
  files.set(body, file);
  return answerWith(request, file, { "cache-control": "no-store" });
}

const respond = ({ status, body, headers }: ScimAnswer): Answer => ({
  status,
  headers: {
    ...(body !== undefined && { "content-type": TYPE }),
    "cache-control": "no-store",
    vary: VARY,
    ...headers,
  },
  ...(body !== undefined && { body: JSON.stringify(body) }),
});

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
}): (call: ApiRequest) => Promise<Answer | undefined> {
  const { config, scim, calls } = options;

  function refuse(error: unknown, { request, requestId }: ApiRequest): Answer {
    const allow: string | undefined = Object(error)["allow"];
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
          "www-authenticate": challenge(config, headerOf(request, "authorization"), failure.message),
        }),
      },
    });
  }

  return async (call) => {
    if (!/^\/scim(?:\/|$)/.test(call.path)) return undefined;
    const { method, request, search, over, address, client, requestId, note } = call;
    try {
      const [, provider = "", path = ""] = PATH.exec(call.path) ?? [];
      if (!isUid(provider)) throw new ScimError(404, "there is no SCIM service at this address");
      const token = bearerOf(headerOf(request, "authorization"));
      const traceparent = headerOf(request, "traceparent");
      const arrival = arrivalOf({ requestId, transport: "http", client });
      const answer = await calls.serve(
        { requestId, bearer: token, address, over, note, traceparent, transport: "http" },
        {
          operation: operationOf(path),
          codeOf,
          authenticate: () => scim.authenticate(provider, token),
          async read() {
            if (method === "GET" || method === "HEAD") return {};
            if (config.readOnly) throw readOnly();
            return readObject(request, TYPE);
          },
          work: (body, inTurn) =>
            scim.perform(
              {
                method,
                provider,
                path,
                search: new URLSearchParams(search),
                body,
                token: token ?? "",
                ifMatch: headerOf(request, "if-match"),
                ifNoneMatch: headerOf(request, "if-none-match"),
                arrival,
              },
              inTurn,
            ),
        },
      );
      return answer.constant && answer.body ? constant(request, answer.body) : respond(answer);
    } catch (error) {
      return refuse(error, call);
    }
  };
}
