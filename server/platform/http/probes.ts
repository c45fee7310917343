import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

import type { Config } from "../../config";
import type { Log } from "../../log";
import { Failure } from "../../status";
import type { Database, Queries } from "../store/database";
import { missingMigrations } from "../store/migrate";
import { VARY, statusOf } from "./answers";
import { corsFor } from "./cors";
import { setCommonHeaders, setRequestId } from "./headers";
import type { Listener } from "./server";

/** Whether the process answers; whether it can serve; both. */
const PATHS = ["/livez", "/readyz", "/healthz"];

/** Milliseconds after which a database that has not answered counts as down. */
const DATABASE_MS = 5_000;
const SILENT = "The database is not responding";

/** Milliseconds between two looks at the database, whether or not somebody asks: the log has what they find. */
const LOOK_MS = 5_000;

type Readiness = Queries & Pick<Database, "probe">;

export interface Probes {
  /** The start is over: from now on the database decides. */
  serve(database: Readiness): void;
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
  let database: Readiness | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failingSince: number | undefined;
  let leaving = false;
  let running: Promise<Failure | undefined> | undefined;

  async function look({ probe, query }: Readiness): Promise<Failure | undefined> {
    try {
      const missing = await missingMigrations(probe ?? { query });
      if (missing.length === 0) return undefined;
      const [first = ""] = missing;
      const which =
        missing.length === 1 ? `the migration ${first}` : `${missing.length} migrations, ${first} first`;
      return unavailable(`The database lacks ${which}: restart the service`, 5);
    } catch (error) {
      return unavailable(sentenceOf(error), 5, error);
    }
  }

  async function notReady(): Promise<Failure | undefined> {
    if (leaving) return unavailable("The service is stopping", 1);
    if (!database) return unavailable("The service is starting", 1);
    // One query for all who ask: a database that hangs must not collect them.
    running ??= look(database).finally(() => (running = undefined));
    const found = await Promise.race([running, sleep(DATABASE_MS, unavailable(SILENT, 5), { ref: false })]);
    if (!leaving) tell(found);
    return found;
  }

  /** Logs when it begins and when it ends. */
  function tell(found: Failure | undefined): void {
    if (found && failingSince === undefined) {
      failingSince = performance.now();
      log.error({ reason: found.message, err: found.options.cause }, "not ready");
    } else if (!found && failingSince !== undefined) {
      const seconds = Math.round((performance.now() - failingSince) / 1_000);
      failingSince = undefined;
      log.info({ seconds }, "ready again");
    }
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
    serve(opened) {
      database = opened;
      clearInterval(timer);
      timer = setInterval(notReady, LOOK_MS).unref();
    },
    leave() {
      leaving = true;
      clearInterval(timer);
    },
    before: (listener) => (request, response) => {
      if (leaving && request.httpVersionMajor === 1) response.setHeader("connection", "close");
      const probe = probeIn(request, base);
      if (probe === undefined) listener(request, response);
      else void answer(probe, request, response);
    },
  };
}

const unavailable = (sentence: string, retryAfter: number, cause?: unknown): Failure =>
  new Failure("UNAVAILABLE", sentence, [], { retryAfter, cause });

/** A failure's own words if they are for callers. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Failure)) return SILENT;
  const words = error.message.replace(/^Unavailable: /, "");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** The probe that a request is; undefined for any other request. */
function probeIn({ url = "", method, headers }: IncomingMessage, base: string): string | undefined {
  const [path = ""] = url.split("?", 1);
  // Some proxies have already stripped the path of PUBLIC_URL.
  const own = path.startsWith(`${base}/`) ? path.slice(base.length) : path;
  if (PATHS.includes(own)) return own;
  // What HAProxy's `option httpchk` sends if it is not told more.
  return method === "OPTIONS" && path === "/" && headers.host === undefined ? "/healthz" : undefined;
}
