import { request as httpRequest, type IncomingHttpHeaders, type Server } from "node:http";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

import { endpoints } from "platform-contract";
import type { Status } from "platform-contract/status";

import type { Caller } from "../platform/access/caller";
import { readConfig, type Config } from "../config";
import type { Handler } from "../platform/standard/call";
import { createListener, type AppOptions } from "../platform/http/app";
import { createHttpServer, type Listener } from "../platform/http/server";
import { createLog } from "../log";
import { unauthenticated } from "../status";
import { portOf } from "../port";
import { closeServer } from "./site";

/** Starts a server before its listener exists, since PUBLIC_URL contains the port. */
export async function listenFirst(): Promise<{
  origin: string;
  serve(listener: Listener): void;
  server: Server;
}> {
  let listener: Listener = (_request, response) => void response.writeHead(503).end();
  const server = createHttpServer({ serviceDomain: "platform.example" }, (request, response) =>
    listener(request, response),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = portOf(server);
  return { origin: `http://127.0.0.1:${port}`, serve: (next) => (listener = next), server };
}

/** A port that was free a moment ago: for programs that have to be told one. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = portOf(server);
  server.close();
  await once(server, "close");
  return port;
}

/** A caller with these capabilities at the given groups. */
export const callerWith = (capabilities: readonly string[], groups: readonly string[]): Caller => ({
  issuer: "https://issuer.example",
  subject: "tester",
  key: "tester",
  identities: [],
  grants: groups.map((group) => ({ group, role: "", capabilities: new Set(capabilities) })),
});

export interface TestApp {
  readonly url: string;
  /** The port of the server itself. */
  readonly port: number;
  readonly config: Config;
  /** Every call that reached a handler, in order. */
  readonly calls: { id: string; call: Parameters<Handler>[0] }[];
  stop(): Promise<void>;
}

/**
 * Only the HTTP layer: real sockets and the real router over handlers that record their calls. The token `good` belongs
 * to `caller`.
 */
export async function startApp(
  options: {
    environment?: Readonly<Record<string, string>>;
    basePath?: string;
    caller?: Caller;
    handler?: Handler;
    app?: Partial<AppOptions>;
  } = {},
): Promise<TestApp> {
  const { origin, serve, server } = await listenFirst();
  const publicUrl = `${origin}${options.basePath ?? ""}`;
  const config = readConfig({ PUBLIC_URL: publicUrl, SEED: "none", ...options.environment });
  const calls: TestApp["calls"] = [];
  const answer = options.handler ?? (() => Promise.resolve({}));
  const handlers = new Map(
    endpoints.map(({ id }): [string, Handler] => [id, (call) => (calls.push({ id, call }), answer(call))]),
  );
  serve(
    createListener({
      config,
      handlers,
      log: createLog("silent"),
      consoleDirectory: fileURLToPath(new URL("./console", import.meta.url)),
      database: {
        kind: "embedded",
        query: () => Promise.resolve([]),
        // Refusals are logged.
        transaction: (work) => work({ query: () => Promise.resolve([]) }),
        close: () => Promise.resolve(),
      },
      authenticator: {
        authenticate: (bearer) =>
          bearer === "good"
            ? Promise.resolve(options.caller ?? callerWith([], []))
            : Promise.reject(unauthenticated(bearer ? "the token is not valid" : "a bearer token is needed")),
      },
      provider: {
        callback: (_request, response) => void response.end('{"answeredBy":"provider"}'),
        jwks: () => Promise.resolve({ keys: [] }),
      },
      ...options.app,
    }),
  );
  return {
    url: publicUrl,
    port: Number(new URL(origin).port),
    config,
    calls,
    stop: () => closeServer(server),
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The body parsed as JSON. */
  readonly json: Record<string, unknown> & Status;
}

/** Sends one request with exactly these headers and this target: fetch would normalize both. */
export function send(
  url: string,
  options: {
    method?: string;
    target?: string;
    headers?: Readonly<Record<string, string>>;
    body?: string | Buffer;
  } = {},
): Promise<Answer> {
  const { method = "GET", headers = {}, body, target } = options;
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      url,
      { method, headers, agent: false, ...(target !== undefined && { path: target }) },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const bytes = Buffer.concat(chunks);
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes,
            get json() {
              return JSON.parse(bytes.toString());
            },
          });
        });
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}
