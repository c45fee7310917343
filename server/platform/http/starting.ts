import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { html, raw } from "hono/html";

import type { Config } from "../../config";
import { Failure } from "../../status";
import { corsFor } from "./cors";
import { setCommonHeaders, setRequestId } from "./headers";
import type { Listener } from "./server";

/** Seconds after which a caller asks again. */
const RETRY_SECONDS = 1;

const STYLES =
  "body{font:16px/1.5 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;place-content:center;padding:24px;text-align:center}h1{font-size:20px;margin:0}p{margin:8px 0 0}";
const POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLES).digest("base64")}'; frame-ancestors 'none'`;

/** True for a request of the address bar, which shows what it gets to a person. */
const isNavigation = ({ method, headers }: IncomingMessage): boolean =>
  (method === "GET" || method === "HEAD") && (headers.accept ?? "").includes("text/html");

/** What people see instead of a screen; loads itself again. */
const page = (config: Config, why: string): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <meta http-equiv="refresh" content="${RETRY_SECONDS}" />
        <title>${why} - ${config.title}</title>
        <style>
          ${raw(STYLES)}
        </style>
      </head>
      <body>
        <main role="status">
          <h1>${why}</h1>
          <p>This page loads by itself as soon as ${config.title} is ready.</p>
        </main>
      </body>
    </html>`.toString();

/**
 * Refuses all requests with a retry hint, before the database is open or while the service stops: programs by the
 * structured error, browsers by a page that tries again.
 */
export function refuseAll(config: Config, why: string): Listener {
  const cors = corsFor(config);
  const text = page(config, why);
  const failure = new Failure("UNAVAILABLE", why);
  const status = JSON.stringify(failure.toStatus(`platform.${config.serviceDomain}`));
  return (request, response) => {
    setRequestId(request, response);
    setCommonHeaders(config, response);
    // Otherwise a console on another origin could not read the error.
    if (cors(request, response)) return;
    const forPerson = isNavigation(request);
    if (forPerson) response.setHeader("content-security-policy", POLICY);
    response.writeHead(failure.http, {
      "content-type": forPerson ? "text/html; charset=utf-8" : "application/json",
      "retry-after": String(RETRY_SECONDS),
      "cache-control": "no-store",
    });
    response.end(request.method === "HEAD" ? undefined : forPerson ? text : status);
  };
}
