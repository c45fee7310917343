import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

import type { Config } from "../config";

/** Nothing that is not a page may run or load anything, wherever a browser puts it. */
const POLICY_OF_DATA = "default-src 'none'; frame-ancestors 'none'";

/** The console's policy: nothing foreign, nothing `unsafe-`. */
export function policyOfPages(config: Config): string {
  // The service is API, issuer and console at once; named, so that the page also works where 'self' is an alias.
  const reached = new Set(["'self'", new URL(config.publicUrl).origin, new URL(config.issuer).origin]);
  return [
    "default-src 'self'",
    `connect-src ${[...reached].join(" ")}`,
    ...(config.readmeImageOrigins.length > 0
      ? [`img-src 'self' ${config.readmeImageOrigins.join(" ")}`]
      : []),
    "object-src 'none'",
    "base-uri 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Set on every answer before anything else happens, so that refusals of the server itself carry them too. */
export function setCommonHeaders(config: Config, response: ServerResponse): void {
  response.setHeader("content-security-policy", POLICY_OF_DATA);
  response.setHeader("x-frame-options", "DENY");
  response.setHeader("x-content-type-options", "nosniff");
  // Not "no-referrer": with it, browsers post forms with `Origin: null`, which the sign-in pages have to refuse.
  response.setHeader("referrer-policy", "same-origin");
  response.setHeader("cross-origin-opener-policy", "same-origin");
  response.setHeader("cross-origin-resource-policy", "same-origin");
  response.setHeader("permissions-policy", "camera=(), geolocation=(), microphone=()");
  if (config.publicUrl.startsWith("https:"))
    response.setHeader("strict-transport-security", "max-age=31536000");
}

export const REQUEST_ID = "x-request-id";

/** Gives the request its id: the caller's own when it is one that a log line can hold, else a new one. */
export function setRequestId(request: IncomingMessage, response: ServerResponse): string {
  const given = request.headers[REQUEST_ID];
  const id = typeof given === "string" && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID();
  response.setHeader(REQUEST_ID, id);
  return id;
}

/**
 * The host that the browser sees; forwarded headers count only behind a proxy that is trusted. Undefined behind any
 * other proxy: the host is then the proxy's word for us, and a redirect by it would go round in circles.
 */
export function hostOf(config: Config, { headers }: IncomingMessage): string | undefined {
  const forwarded = headers["x-forwarded-host"];
  if (!config.trustProxy && (forwarded ?? headers.forwarded ?? headers.via) !== undefined) return undefined;
  const first = typeof forwarded === "string" ? forwarded.split(",", 1)[0]?.trim() : undefined;
  return (first || headers.host)?.toLowerCase();
}
