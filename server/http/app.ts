import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { compress } from "hono/compress";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

import { endpoints } from "~/contract/index";

import type { Authenticator } from "../access/authenticate";
import type { Config } from "../config";
import type { Handler } from "../handlers/call";
import type { Log } from "../log";
import type { OidcProvider } from "../oidc/provider";
import { addressOf } from "../oidc/requests";
import { Failure } from "../status";
import type { Database } from "../store/database";
import { internal, json, refusal } from "./answers";
import { apiArea, createApi } from "./api";
import { answerClientError } from "./client-error";
import { corsFor } from "./cors";
import { endWhenIdle, oneAtATime } from "./connections";
import { REQUEST_ID, hostOf, setCommonHeaders, setRequestId } from "./headers";
import { openApi } from "./openapi";
import { createPages, redirect } from "./pages";
import { createRouter } from "./router";

export interface AppOptions {
  readonly config: Config;
  readonly database: Database;
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly authenticator: Authenticator;
  readonly provider: OidcProvider;
  readonly log: Log;
  /** Where `vite build` put the console. */
  readonly consoleDirectory: string;
}

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Two hundred `uidp.ids` of some depth do not fit into Node's 16 kB. */
const MAX_HEADER_BYTES = 64 * 1024;

/**
 * Calls that work with the database at once: the embedded one has one connection; of PostgreSQL's ten two are left for
 * signing in and for looking up who calls.
 */
const AT_ONCE = { embedded: 1, postgres: 8 };

/** Longer than the idle time of the usual proxies: they, not we, close a connection that they may still use. */
const KEEP_ALIVE_MS = 65_000;

/** Milliseconds. Whoever sends a header or a body drop by drop holds a connection no longer than this. */
const PATIENCE = { headersTimeout: 20_000, requestTimeout: 60_000, connectionsCheckingInterval: 5_000 };

/** Milliseconds in which a client has to take something of an answer; a slow one that goes on reading keeps its connection. */
const SENDING_IDLE_MS = 30_000;

/** An HTTP server for `listener`; it does not listen yet. `patience` in milliseconds. */
export function createHttpServer(
  config: Pick<Config, "serviceDomain">,
  listener: Listener,
  patience: typeof PATIENCE & { readonly sendingIdle?: number } = PATIENCE,
): Server {
  const { sendingIdle = SENDING_IDLE_MS, ...receiving } = patience;
  const shared = { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: KEEP_ALIVE_MS };
  const server = createServer({ ...shared, ...receiving }, oneAtATime(endWhenIdle(listener)));
  server.timeout = sendingIdle;
  server.on("clientError", (error, socket) =>
    answerClientError(error, socket, `platform.${config.serviceDomain}`),
  );
  return server;
}

/** Everything the service answers: provider, API, console. Throws when an operation cannot be mounted. */
export function createListener(options: AppOptions): Listener {
  const { config, provider, log } = options;
  const base = new URL(config.publicUrl).pathname.replace(/\/$/, "");
  const cors = corsFor(config);
  const app = createApp(options, base);
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    overrideGlobalObjects: false,
    errorHandler: () => unreadable(config),
  });

  return (request, response) => {
    const requestId = setRequestId(request, response);
    setCommonHeaders(config, response);
    logWhenDone(log, requestId, request, response);
    const path = below(base, (request.url ?? "").split("?", 1)[0] ?? "");
    if (path === "/oidc" || path.startsWith("/oidc/")) return provider.callback(request, response);
    if (!cors(request, response)) void listener(request, response);
  };
}

function createApp(options: AppOptions, base: string): Hono<{ Bindings: HttpBindings }> {
  const { config, database, handlers, authenticator, log } = options;
  const router = createRouter(endpoints, handlers);
  const api = createApi({ config, authenticator, log, router, atOnce: AT_ONCE[database.kind] });
  const pages = createPages(config, options.consoleDirectory);
  const document = openApi(config, endpoints, "2");
  const domain = `platform.${config.serviceDomain}`;

  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use(compress({ encoding: "gzip" }));
  app.all("*", async ({ req: { raw: request }, env }) => {
    const url = new URL(request.url);
    const search = url.search.slice(1);
    if (url.pathname === base) return redirect(`${config.publicUrl}/`);
    const path = below(base, url.pathname);
    const requestId = String(env.outgoing.getHeader(REQUEST_ID));
    if (path === "/healthz") return health(database, log, requestId, domain);
    if (path === "/openapi.json") return json(document, 200, { "cache-control": "no-cache" });
    const address = addressOf(config, env.incoming);
    const answer = await api({ request, requestId, path, search, address, over: overOf(env.outgoing) });
    return answer ?? pages({ request, path, search, host: hostOf(config, env.incoming) });
  });
  app.onError((error, { env }) => {
    const requestId = String(env.outgoing.getHeader(REQUEST_ID));
    log.error({ requestId, err: error }, "unexpected failure");
    return refusal(internal(requestId), domain);
  });
  return app;
}

/** Aborted when the answer is sent or its connection is closed. */
function overOf(outgoing: HttpBindings["outgoing"]): AbortSignal {
  const over = new AbortController();
  if (outgoing.closed || outgoing.destroyed) over.abort();
  else outgoing.once("close", () => over.abort());
  return over.signal;
}

/** A path without the path of PUBLIC_URL; some proxies have taken it away already. */
const below = (base: string, path: string): string =>
  path.startsWith(`${base}/`) ? path.slice(base.length) : path;

async function health(database: Database, log: Log, requestId: string, domain: string): Promise<Response> {
  try {
    await database.query("select 1");
    return json({ status: "ok" });
  } catch (error) {
    log.error({ requestId, err: error }, "the database does not answer");
    return refusal(new Failure("UNAVAILABLE", "The database does not answer", [], { retryAfter: 5 }), domain);
  }
}

/** A request that is no HTTP request for a resource here, such as one without a usable Host. */
function unreadable({ serviceDomain }: Config): Response {
  const failure = new Failure("INVALID_ARGUMENT", "Invalid argument: the request cannot be read");
  return refusal(failure, `platform.${serviceDomain}`);
}

/** One line a request: the path without its query, which may hold a token or a code. */
function logWhenDone(log: Log, requestId: string, request: IncomingMessage, response: ServerResponse): void {
  const start = performance.now();
  const { method, url = "" } = request;
  response.once("close", () => {
    const path = url.split("?", 1)[0] ?? "";
    const ms = Math.round(performance.now() - start);
    const line = { requestId, method, path, status: response.statusCode, ms };
    if (!response.writableFinished) log.info({ ...line, aborted: true }, "request");
    // What a page loads is of no interest among what people and machines ask for.
    else if (apiArea(path) === undefined && /\.\w+$/.test(path)) log.debug(line, "request");
    else log.info(line, "request");
  });
}
