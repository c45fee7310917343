import type { IncomingMessage, ServerResponse } from "node:http";

import type { Site } from "./site";

/** Headers of all responses under the provider, its own included. */
export function setHeaders(site: Site, response: ServerResponse): void {
  response.setHeader("content-security-policy", site.policy);
  response.setHeader("x-frame-options", "DENY");
  response.setHeader("x-content-type-options", "nosniff");
  // Not "no-referrer": browsers then post forms with `Origin: null`, which cannot be told from a foreign site.
  response.setHeader("referrer-policy", "same-origin");
  response.setHeader("cache-control", "no-store");
}

/**
 * Shows a form again after a failure with status 200: to the user it is the next step, and browsers report 4xx pages as
 * errors of the site.
 */
export function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  html: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-length": Buffer.byteLength(html),
    ...headers,
  });
  response.end(request.method === "HEAD" ? undefined : html);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  value: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  const json = JSON.stringify(value);
  const length = Buffer.byteLength(json);
  response.writeHead(status, { "content-type": "application/json", "content-length": length, ...headers });
  response.end(json);
}

/** See Other: after a form, the browser requests the page with GET. */
export function redirect(response: ServerResponse, address: string, status = 303): void {
  response.writeHead(status, { location: address, "content-length": "0" });
  response.end();
}
