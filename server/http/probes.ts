import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

import type { Config } from "../config";
import type { Log } from "../log";
import { Failure } from "../status";
import type { Queries } from "../store/database";
import { isMigrated } from "../store/migrate";
import { VARY, statusOf } from "./answers";
import { corsFor } from "./cors";
import { setCommonHeaders, setRequestId } from "./headers";
import type { Listener } from "./server";

/** Whether the process answers; whether it can serve; both. */
const PATHS = ["/livez", "/readyz", "/healthz"];

/** Milliseconds after which a database that has not answered counts as down. */
const DATABASE_MS = 5_000;

export interface Probes {
  /** The start is over: from now on the database decides. */
  serve(database: Queries): void;
  /** The stop has begun: from now on not ready, and HTTP/1.1 connections close after their response. */
  leave(): void;
  /** Answers probes, also without `Host` (HTTP/1.0); passes everything else on. */
  before(listener: Listener): Listener;
}

/**
 * The probes of a process. `/livez`: 200 as long as it answers at all. `/readyz` and `/healthz`: 200 if it has started,
 * is not stopping, and its database answers with the schema that this program needs; otherwise 503 with the reason.
 */
export function createProbes(config: Config, log: Log): Probes {
  const cors = corsFor(config);
  const base = new URL(config.publicUrl).pathname.replace(/\/$/, "");
  let database: Queries | undefined;
  let leaving = false;
  let running: Promise<Failure | undefined> | undefined;

  async function look(queries: Queries): Promise<Failure | undefined> {
    try {
      if (await isMigrated(queries)) return undefined;
      return unavailable("The database lacks tables of this program: restart it", 5);
    } catch (error) {
      log.error({ err: error }, "the database is not responding");
      return unavailable("The database is not responding", 5);
    }
  }

  async function notReady(): Promise<Failure | undefined> {
    if (leaving) return unavailable("The service is stopping", 1);
    if (!database) return unavailable("The service is starting", 1);
    // One query for all who ask: a database that hangs must not collect them.
    running ??= look(database).finally(() => (running = undefined));
    return Promise.race([
      running,
      sleep(DATABASE_MS, unavailable("The database is not responding", 5), { ref: false }),
    ]);
  }

  async function answer(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = setRequestId(request, response);
    setCommonHeaders(config, response);
    // Otherwise a console on another origin could not read it.
    if (cors(request, response)) return;
    const failure = path === "/livez" ? undefined : await notReady();
    const retryAfter = failure?.options.retryAfter;
    response.writeHead(failure?.http ?? 200, {
      "content-type": "application/json",
      "cache-control": "no-store",
      vary: VARY,
      ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
    });
    const domain = `platform.${config.serviceDomain}`;
    response.end(JSON.stringify(failure ? statusOf(failure, domain) : { status: "ok" }));
    log.debug({ requestId, method: request.method, path, status: response.statusCode }, "request");
  }

  return {
    serve: (opened) => void (database = opened),
    leave: () => void (leaving = true),
    before: (listener) => (request, response) => {
      if (leaving && request.httpVersionMajor === 1) response.setHeader("connection", "close");
      const probe = probeIn(request, base);
      if (probe === undefined) listener(request, response);
      else void answer(probe, request, response);
    },
  };
}

const unavailable = (sentence: string, retryAfter: number): Failure =>
  new Failure("UNAVAILABLE", sentence, [], { retryAfter });

/** The probe that a request is; undefined for any other request. */
function probeIn({ url = "", method, headers }: IncomingMessage, base: string): string | undefined {
  const [path = ""] = url.split("?", 1);
  // Some proxies have already stripped the path of PUBLIC_URL.
  const own = path.startsWith(`${base}/`) ? path.slice(base.length) : path;
  if (PATHS.includes(own)) return own;
  // What HAProxy's `option httpchk` sends if it is not told more.
  return method === "OPTIONS" && path === "/" && headers.host === undefined ? "/healthz" : undefined;
}
