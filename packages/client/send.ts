import type { Answered } from "./answer";
import { ApiError } from "./errors";
import { HEADERS } from "./headers";
import type { WireRequest } from "./wire";

/** Seconds that a response can take. */
export const RESPONSE_TIMEOUT_SECONDS = 60;

/** Returns an access token other than `refused`. */
export type TokenSource = (options?: { readonly refused?: string }) => Promise<string>;

/** The options of `fetch` for a request. */
export const initOf = (
  { method, headers, body }: WireRequest,
  bearer: string,
  idempotencyKey?: string,
): RequestInit => ({
  method,
  headers: {
    ...HEADERS,
    ...headers,
    authorization: `Bearer ${bearer}`,
    // A structured string (RFC 9651).
    ...(idempotencyKey !== undefined && { "idempotency-key": `"${idempotencyKey}"` }),
  },
  ...(body !== undefined && { body: JSON.stringify(body) }),
  cache: "no-store",
  credentials: "omit",
});

/** Sends with the caller's token, and once more with another one if the service refuses that and there is one. */
export async function authorized(
  token: TokenSource,
  send: (bearer: string) => Promise<Answered>,
): Promise<Answered> {
  const used = await token();
  const answered = await send(used);
  if (answered.response.status !== 401) return answered;
  const other = await token({ refused: used });
  return other === used ? answered : send(other);
}

/** The error for a request that got no response, from what `fetch` or `withTimeout` threw. */
export function noResponse(baseUrl: string, cause: unknown, seconds = RESPONSE_TIMEOUT_SECONDS): ApiError {
  const { host } = new URL(baseUrl);
  const late = cause instanceof DOMException && cause.name === "TimeoutError";
  const what = late ? `didn't respond within ${seconds} seconds` : "can't be reached";
  return new ApiError("unreachable", `${host} ${what}.`, { cause });
}

/** The answer to a uid that no URL can carry (`staysBelow`). */
export function noSuchRecord(): ApiError {
  const message = "No record has this uid.";
  return new ApiError("refused", message, { http: 404, status: { code: 5, message } });
}
