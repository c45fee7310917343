import type { IncomingMessage, ServerResponse } from "node:http";

import type { Site } from "./site";

/** The headers of everything under the provider, its own answers included. */
export function setHeaders(site: Site, response: ServerResponse): void {
  response.setHeader("content-security-policy", site.policy);
  response.setHeader("x-frame-options", "DENY");
  response.setHeader("x-content-type-options", "nosniff");
  // Not "no-referrer": browsers then post forms with `Origin: null`, which tells our own pages from nobody's.
  response.setHeader("referrer-policy", "same-origin");
  response.setHeader("cache-control", "no-store");
}

/**
 * A form that failed is shown again with status 200: it is the next step of a conversation, and browsers report every
 * 4xx page as an error of the site.
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

/** See Other: what was a form becomes a page. */
export function redirect(response: ServerResponse, address: string, status = 303): void {
  response.writeHead(status, { location: address, "content-length": "0" });
  response.end();
}
