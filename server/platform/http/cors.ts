import type { IncomingMessage, ServerResponse } from "node:http";

import type { Config } from "../../config";

/** `date`: consoles compare timestamps of records with the server's clock. */
const EXPOSED = "x-request-id, retry-after, www-authenticate, date";

/**
 * Sets CORS headers for the consoles of `CONSOLE_URLS`, on errors too: otherwise a console could not read them. Returns
 * true if the request was a preflight, which is then complete.
 */
export function corsFor(config: Config): (request: IncomingMessage, response: ServerResponse) => boolean {
  const allowed = new Set(config.consoleUrls.map((url) => new URL(url).origin));
  return (request, response) => {
    const { origin } = request.headers;
    const known = origin !== undefined && allowed.has(origin);
    if (known) {
      response.setHeader("access-control-allow-origin", origin);
      response.setHeader("access-control-expose-headers", EXPOSED);
    }
    const preflight = request.method === "OPTIONS" && "access-control-request-method" in request.headers;
    if (!preflight) return false;
    if (known) {
      response.setHeader("access-control-allow-methods", "GET, HEAD, POST, PATCH, DELETE");
      response.setHeader(
        "access-control-allow-headers",
        "authorization, content-type, x-request-id, idempotency-key, change-justification",
      );
      response.setHeader("access-control-max-age", "7200");
    }
    response.setHeader("vary", "origin, access-control-request-method, access-control-request-headers");
    response.writeHead(204).end();
    return true;
  };
}
