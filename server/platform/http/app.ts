import type { IncomingMessage, ServerResponse } from "node:http";
import { constants } from "node:http2";

import { endpoints } from "platform-contract";

import type { Authenticator } from "../access/authenticate";
import { createRefusalLog } from "../audit/refusals";
import type { Config } from "../../config";
import type { Handler } from "../standard/call";
import type { Log } from "../../log";
import type { Observer } from "../observe/observer";
import type { OidcProvider } from "../oidc/provider";
import { addressOf, clientIn } from "../oidc/requests";
import { createScim } from "../scim/service";
import { Failure } from "../../status";
import type { Database } from "../store/database";
import type { Over } from "../../turns";
import { internal, refusal, type Answer } from "./answers";
import { apiArea, createApi } from "./api";
import { createCalls, type Calls } from "./calls";
import { answerWith, jsonFile } from "./console-files";
import { corsFor } from "./cors";
import { hostOf, setCommonHeaders, setRequestId } from "./headers";
import type { CallFacts } from "./incoming";
import type { UseCounter } from "../../domains/access/use-counter";
import type { Pull } from "../registry/events";
import { isGone, sendAnswer, streamOf, targetOf } from "./messages";
import { openApi } from "./openapi";
import { createPages, redirect } from "./pages";
import { createRouter, type Router } from "./router";
import { createRegistryApi } from "./registry";
import { createScimApi } from "./scim";
import { createPublicKeys } from "./snapshot-keys";
import type { Listener } from "./server";

export interface AppOptions {
  readonly config: Config;
  readonly database: Database;
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly authenticator: Authenticator;
  readonly provider: OidcProvider;
  readonly log: Log;
  /** Output directory of the console's `vite build`. */
  readonly consoleDirectory: string;
  readonly observer?: Pick<Observer, "watch">;
  /** Called when there is a reason to look into the registry. */
  readonly onLooks?: () => void;
  /** Called with pulls that notifications tell. */
  readonly onPulls?: (pulls: readonly Pull[]) => void;
  /** Counts which capabilities are used. */
  readonly use?: Pick<UseCounter, "add"> | undefined;
}

/**
 * Concurrent calls that use the database. The embedded one has a single connection; of PostgreSQL's ten, two stay free
 * for sign-in and authentication.
 */
const AT_ONCE = { embedded: 1, postgres: 8 };

/** Executes operations, for any transport. */
export interface Core {
  readonly router: Router;
  readonly calls: Calls;
  /** Logs what was only counted until now. */
  end(): Promise<void>;
}

/** Throws if an operation cannot be mounted. */
export function createCore(options: AppOptions): Core {
  const { config, database, handlers, authenticator, log, observer, use } = options;
  const refusals = createRefusalLog(database, log);
  return {
    end: () => refusals.end(),
    router: createRouter(endpoints, handlers),
    calls: createCalls({
      config,
      authenticator,
      log,
      atOnce: AT_ONCE[database.kind],
      observer,
      use,
      logRefusal: (refused) => (config.readOnly ? Promise.resolve() : refusals.log(refused)),
    }),
  };
}

/** Handles everything served over HTTP: provider, API, console. */
export function createListener(options: AppOptions, core: Core = createCore(options)): Listener {
  const { config, provider, log } = options;
  const base = new URL(config.publicUrl).pathname.replace(/\/$/, "");
  const cors = corsFor(config);
  const answers = createAnswers(options, core, base);
  // Of an issuer with a path (RFC 8414, section 3.1); also where a proxy has stripped that of PUBLIC_URL.
  const metadata = "/.well-known/oauth-authorization-server";
  const addresses = [`${metadata}${base}/oidc`, `${base}${metadata}/oidc`, `${metadata}/oidc`];

  return (request, response) => {
    const requestId = setRequestId(request, response);
    setCommonHeaders(config, response);
    logWhenDone({ config, log }, requestId, request, response);
    if (addresses.includes(request.url?.split("?", 1)[0] ?? ""))
      request.url = `${base}/oidc/.well-known/oauth-authorization-server`;
    const path = below(base, (request.url ?? "").split("?", 1)[0] ?? "");
    if (path === "/oidc" || path.startsWith("/oidc/")) return provider.callback(request, response);
    if (!cors(request, response)) void answers(request, response, requestId);
  };
}

/** Answers whatever is not the provider's: SCIM, the API, and the console. */
function createAnswers(options: AppOptions, core: Core, base: string) {
  const { config, log } = options;
  const api = createApi({ config, ...core });
  const scim = createScimApi({ config, scim: createScim(options), calls: core.calls });
  const registry = createRegistryApi({ onLooks: () => {}, onPulls: () => {}, ...options, calls: core.calls });
  const pages = createPages(config, options.consoleDirectory);
  const publicKeysAnswer = createPublicKeys({ ...options, ...core });
  const document = jsonFile(openApi(config, endpoints, "2"));
  const domain = `platform.${config.serviceDomain}`;

  async function answerTo(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
  ): Promise<Answer> {
    const target = targetOf(request);
    if (!target) return unreadable(domain);
    if (target.path === base) return redirect(`${config.publicUrl}/`);
    const { search } = target;
    const path = below(base, target.path);
    if (path === "/openapi.json") return answerWith(request, document);
    const method = (request.method ?? "GET").toUpperCase();
    const address = addressOf(config, request);
    const client = clientIn(config, request);
    const over = overOf(response);
    const note = (facts: CallFacts) => void told.set(response, facts);
    const call = { method, request, requestId, path, search, address, client, note, over };
    const answer =
      (await scim(call)) ?? (await registry(call)) ?? (await publicKeysAnswer(call)) ?? (await api(call));
    return answer ?? pages({ method, request, path, search, host: hostOf(config, request) });
  }

  return async (request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void> => {
    try {
      const answer = await answerTo(request, response, requestId).catch((error: unknown) => {
        log.error({ requestId, err: error }, "unexpected failure");
        return refusal(internal(requestId), domain);
      });
      await sendAnswer(request, response, answer);
    } catch (error) {
      log.error({ requestId, err: error }, "a response was not sent");
      response.destroy();
    }
  };
}

/** Aborted when the response has been sent or its connection is closed. An AbortSignal costs a twentieth of a request. */
function overOf(response: ServerResponse): Over {
  const listeners: (() => void)[] = [];
  const over = {
    aborted: isGone(response),
    addEventListener: (_type: "abort", listener: () => void) => void listeners.push(listener),
  };
  response.once("close", () => {
    over.aborted = true;
    for (const listener of listeners) listener();
  });
  return over;
}

/** Strips the path of PUBLIC_URL; some proxies have already stripped it. */
const below = (base: string, path: string): string =>
  path.startsWith(`${base}/`) ? path.slice(base.length) : path;

/** The request is malformed, for example without a valid Host. */
const unreadable = (domain: string): Answer =>
  refusal(new Failure("INVALID_ARGUMENT", "Invalid argument: the request cannot be read"), domain);

/** What is known of the call of a request, by its response. */
const told = new WeakMap<object, CallFacts>();

/** Logs one line per request: the path without its query, which can contain a token or a code. */
function logWhenDone(
  { config, log }: Pick<AppOptions, "config" | "log">,
  requestId: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const start = performance.now();
  const { method, url = "" } = request;
  // Not when the response is done: the connection may be gone by then.
  const { address } = clientIn(config, request);
  response.once("close", () => {
    const path = url.split("?", 1)[0] ?? "";
    const ms = Math.round(performance.now() - start);
    const line = {
      requestId,
      method,
      path,
      status: response.statusCode,
      ms,
      address,
      ...told.get(response),
    };
    if (!isSent(response)) log.info({ ...line, aborted: true }, "request");
    // Log asset requests at debug level only: they would drown out API and page requests.
    else if (apiArea(path) === undefined && /\.\w+$/.test(path)) log.debug(line, "request");
    else log.info(line, "request");
  });
}

/** HTTP/2 reports it on the stream. */
function isSent(response: ServerResponse): boolean {
  const stream = streamOf(response);
  return stream ? stream.rstCode === constants.NGHTTP2_NO_ERROR : response.writableFinished;
}
