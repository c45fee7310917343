import { RETRY_INFO, type Status } from "~/contract/status";

import { Failure } from "../status";

/** Answers differ by who asks and by what they can unpack; named on every answer, cacheable or not. */
export const VARY = "origin, accept-encoding";

const encoder = new TextEncoder();

/** A JSON answer; never stored by a cache unless `headers` says so. */
export function json(
  value: unknown,
  status: number = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const bytes = encoder.encode(JSON.stringify(value));
  return new Response(bytes, {
    status,
    headers: {
      "content-type": "application/json",
      // The length lets the compressor leave small answers alone.
      "content-length": String(bytes.length),
      "cache-control": "no-store",
      vary: VARY,
      ...headers,
    },
  });
}

/** 200 with zero bytes: the answer of a delete (contract 0.9). */
export const empty = (): Response =>
  new Response(null, { headers: { "content-length": "0", "cache-control": "no-store", vary: VARY } });

/** A refusal as google.rpc.Status with all its details (contract 0.10). `domain` is `<area>.<service domain>`. */
export function statusOf(failure: Failure, domain: string): Status {
  const { retryAfter } = failure.options;
  const status = failure.toStatus(domain);
  if (retryAfter === undefined) return status;
  const retryInfo = { "@type": RETRY_INFO, retryDelay: `${retryAfter}s` };
  return { ...status, details: [...(status.details ?? []), retryInfo] };
}

/** The same as an HTTP answer. */
export function refusal(
  failure: Failure,
  domain: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { retryAfter } = failure.options;
  return json(statusOf(failure, domain), failure.http, {
    ...(retryAfter !== undefined && { "retry-after": String(Math.ceil(retryAfter)) }),
    ...headers,
  });
}

/** An unrouted path (contract 0.10). */
export const unknownPath = (): Failure => new Failure("NOT_FOUND", "Not found: no operation at this path");

/** What went wrong inside is for the log; the caller gets the id to find it by. */
export const internal = (requestId: string): Failure =>
  new Failure("INTERNAL", `Internal error: the log has more under request id ${requestId}`, [], {
    metadata: { requestId },
  });
