import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

import type { Config } from "../../config";

/** Responses other than pages must not run or load anything, wherever a browser embeds them. */
const POLICY_OF_DATA = "default-src 'none'; frame-ancestors 'none'";

/** The console's policy: no third-party origins, no `unsafe-`. */
export function policyOfPages(config: Config): string {
  // API, issuer and console are one service. Origins are explicit, so that the page works where 'self' is an alias.
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

/** Set on every response first, so that the server's own errors have them too. */
export function setCommonHeaders(config: Config, response: ServerResponse): void {
  response.setHeader("content-security-policy", POLICY_OF_DATA);
  response.setHeader("x-frame-options", "DENY");
  response.setHeader("x-content-type-options", "nosniff");
  // Not "no-referrer": browsers then post forms with `Origin: null`, which the sign-in pages must reject.
  response.setHeader("referrer-policy", "same-origin");
  response.setHeader("cross-origin-opener-policy", "same-origin");
  response.setHeader("cross-origin-resource-policy", "same-origin");
  response.setHeader("permissions-policy", "camera=(), geolocation=(), microphone=()");
  if (config.publicUrl.startsWith("https:"))
    response.setHeader("strict-transport-security", "max-age=31536000");
}

export const REQUEST_ID = "x-request-id";

/** Sets the request id: the caller's own if it is safe to log, otherwise a new one. */
export function setRequestId(
  request: Pick<IncomingMessage, "headers">,
  response: { setHeader(name: string, value: string): unknown },
): string {
  const given = request.headers[REQUEST_ID];
  const id = typeof given === "string" && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID();
  response.setHeader(REQUEST_ID, id);
  return id;
}

/**
 * Returns the host as the browser sees it. Forwarded headers only count behind a trusted proxy. Undefined behind any
 * other proxy: its `Host` header can be an internal name, and redirecting by it would loop.
 */
export function hostOf(config: Config, { headers }: IncomingMessage): string | undefined {
  const forwarded = headers["x-forwarded-host"];
  if (!config.trustProxy && (forwarded ?? headers.forwarded ?? headers.via) !== undefined) return undefined;
  const first = typeof forwarded === "string" ? forwarded.split(",", 1)[0]?.trim() : undefined;
  return (first || headers.host)?.toLowerCase();
}
