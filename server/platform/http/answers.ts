import { RETRY_INFO, type Status } from "platform-contract/status";

import { Failure } from "../../status";

/** Responses differ by origin and accepted encoding; sent with every response, cacheable or not. */
export const VARY = "origin, accept-encoding";

/** A response, before it is sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Creates a JSON response; never cached unless `headers` says so. */
export const json = (
  value: unknown,
  status: number = 200,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({
  status,
  headers: { "content-type": "application/json", "cache-control": "no-store", vary: VARY, ...headers },
  body: JSON.stringify(value),
});

/** 200 with an empty body: the response of a delete. */
export const empty = (): Answer => ({
  status: 200,
  headers: { "content-length": "0", "cache-control": "no-store", vary: VARY },
});

/** Converts a failure to google.rpc.Status with all details (AIP-193). `domain` is `<area>.<service domain>`. */
export function statusOf(failure: Failure, domain: string): Status {
  const { retryAfter } = failure.options;
  const status = failure.toStatus(domain);
  if (retryAfter === undefined) return status;
  const retryInfo = { "@type": RETRY_INFO, retryDelay: `${retryAfter}s` };
  return { ...status, details: [...(status.details ?? []), retryInfo] };
}

/** `statusOf` as an HTTP response. */
export function refusal(
  failure: Failure,
  domain: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const { retryAfter } = failure.options;
  return json(statusOf(failure, domain), failure.http, {
    ...(retryAfter !== undefined && { "retry-after": String(Math.ceil(retryAfter)) }),
    ...headers,
  });
}

/** No route matches the path (AIP-193). */
export const unknownPath = (): Failure => new Failure("NOT_FOUND", "Not found: no operation at this path");

/** The operation is published, but this service does not have it. */
export const unserved = (): Failure =>
  new Failure("UNIMPLEMENTED", "Unimplemented: this service does not have this operation");

/** Details of an internal error are only logged; the caller gets the request id to look them up. */
export const internal = (requestId: string): Failure =>
  new Failure("INTERNAL", `Internal error: see the log for request id ${requestId}`, [], {
    metadata: { requestId },
  });
