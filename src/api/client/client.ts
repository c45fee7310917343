import { parentOf, snakeCase } from "platform-contract/aip";
import type { Endpoint } from "platform-contract/endpoint";
import { ping } from "platform-contract/ping/ping";
import type { ListAnswer, ListQuery } from "platform-contract/resource";
import { status as statusSchema, type Status } from "platform-contract/status";

import { Store } from "~/store";
import { AuthError } from "~/auth/errors";
import { withTimeout } from "~/auth/timeout";

import { watchConnection, type ConnectionWatch } from "./connection";
import { HEADERS, takeEarly, type Answered } from "./early-requests";
import { ApiError, invalidResponse, retryAfterOf, statuslessResponse } from "./errors";
import type { RequestInfo } from "./request-info";
import { readList, readRecord, requestOf, staysBelow, withoutNulls } from "./wire";
import { forgetTime, noteTime } from "./service-clock";

export interface Transport {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Returns an access token other than `refused`. Rejects with an AuthError. */
  token(options?: { readonly refused?: string }): Promise<string>;
  /** Called when a renewed token is refused too: the user must sign in again. */
  onUnauthenticated(): void;
  readonly fieldMaskCase?: "camel" | "snake";
  /** The service answers a repeated POST with the same key once. */
  readonly idempotencyKeys?: boolean;
  /** The service keeps why a change was made. */
  readonly changeJustifications?: boolean;
}

export interface RequestInput<Query, Body> {
  /** Path variables by name. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Query | undefined;
  readonly body?: Body | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Identifies the press that this request belongs to; sent if the service keeps keys. */
  readonly idempotencyKey?: string | undefined;
  /** Why the change is made; sent if the service keeps it. */
  readonly justification?: string | undefined;
  /** Lets the request continue if the page is left meanwhile. */
  readonly keepalive?: boolean;
}

/** Timeouts, in seconds, of a request and of a probe that only checks whether the service responds. */
const RESPONSE_TIMEOUT_SECONDS = 60;
const PROBE_TIMEOUT_SECONDS = 10;

interface Connected {
  readonly transport: Transport;
  readonly connection: ConnectionWatch;
  /** The service refuses the filter of the root level, which the specification does not have. */
  readonly withoutRootFilter: boolean;
}

const connected = new Store<Connected | undefined>(() => undefined);

/** Sets where the API is and who calls it. Must be called once, before the first call. */
export function connect(transport: Transport): void {
  forgetTime();
  const connection = watchConnection(() => probe(transport.baseUrl));
  connected.set({ transport, connection, withoutRootFilter: false });
}

/** Throws before the first `connect()`. */
function theService(): Connected {
  const service = connected.get();
  if (!service) throw new Error("connect() comes before the first call");
  return service;
}

/** True if the service answers a repeated POST with the same `idempotencyKey` once. */
export const keepsIdempotencyKeys = (): boolean => connected.get()?.transport.idempotencyKeys === true;

/** True if the service keeps why a change was made. */
export const takesJustifications = (): boolean => connected.get()?.transport.changeJustifications === true;

const ROOT_FILTER = "uidp.in_root";

/** True if a refusal is about this parameter, in either spelling. */
const isAbout = (error: unknown, parameter: string): boolean =>
  error instanceof ApiError &&
  error.code === "INVALID_ARGUMENT" &&
  (error.violations.some(({ field }) => snakeCase(field) === parameter) ||
    snakeCase(error.message).includes(parameter));

/**
 * Calls one operation of the API and parses its response by the contract: nulls become absent fields, unknown fields
 * stay, a list becomes a `ListAnswer`. Where a service refuses or ignores the filter of the root level, it is applied
 * here. Throws an ApiError; only an aborted `signal` throws its own reason.
 */
export async function call<Query, Body, Answer>(
  endpoint: Endpoint<Query, Body, Answer>,
  input: RequestInput<NoInfer<Query>, NoInfer<Body>> = {},
): Promise<Answer> {
  const { [ROOT_FILTER]: inRoot, ...others }: ListQuery = Object(input.query);
  if (inRoot !== true) return exchangeOnce(endpoint, input);
  const unfiltered = { ...input, query: others as NoInfer<Query> };
  if (theService().withoutRootFilter) return onlyRoot(await exchangeOnce(endpoint, unfiltered));
  try {
    return onlyRoot(await exchangeOnce(endpoint, input));
  } catch (error) {
    if (!isAbout(error, ROOT_FILTER)) throw error;
    connected.set({ ...theService(), withoutRootFilter: true });
    return onlyRoot(await exchangeOnce(endpoint, unfiltered));
  }
}

/** Keeps the rows at the root level. A count of all rows is not one of these. */
function onlyRoot<Answer>(answer: Answer): Answer {
  const { items }: ListAnswer<{ readonly uid: string }> = Object(answer);
  const kept = items.filter(({ uid }) => parentOf(uid) === "");
  return kept.length === items.length ? answer : { ...answer, items: kept, totalCount: undefined };
}

/** Resolves if the service responds, even with a refusal. */
async function probe(baseUrl: string): Promise<void> {
  try {
    await withTimeout(PROBE_TIMEOUT_SECONDS * 1000, (signal) => call(ping, { signal }));
  } catch (error) {
    const known = asApiError(error, baseUrl);
    if (known.kind !== "unreachable") return;
    throw known.cause instanceof AuthError ? known : unreachable(baseUrl, known.cause);
  }
}

/** One call, as it is. */
async function exchangeOnce<Query, Body, Answer>(
  endpoint: Endpoint<Query, Body, Answer>,
  input: RequestInput<NoInfer<Query>, NoInfer<Body>> = {},
): Promise<Answer> {
  const { transport, connection } = theService();
  const { baseUrl, fieldMaskCase } = transport;
  const { path = {}, query, body, signal, keepalive = false } = input;
  const idempotencyKey = keepsIdempotencyKeys() ? input.idempotencyKey : undefined;
  if (!Object.values(path).every(staysBelow)) throw notFound();
  const justification = takesJustifications() ? input.justification : undefined;
  const asked = { endpoint, path, query: Object(query), body, justification };
  const request = requestOf({ baseUrl, fieldMaskCase }, asked);
  const exchange = async (bearer: string, timeout: AbortSignal): Promise<Answered> => {
    const early = takeEarly(request.method, request.url, bearer, timeout);
    if (early) {
      const answered = await early;
      connection.noteResponse();
      // Its time is not noted: the response waited for its reader.
      return answered;
    }
    const response = await fetch(request.url, {
      method: request.method,
      headers: {
        ...HEADERS,
        ...request.headers,
        authorization: `Bearer ${bearer}`,
        // A structured string (RFC 9651).
        ...(idempotencyKey !== undefined && { "idempotency-key": `"${idempotencyKey}"` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      cache: "no-store",
      credentials: "omit",
      keepalive,
      signal: timeout,
    });
    connection.noteResponse();
    noteTime(response);
    // A connection that breaks here rejects like one that was never made.
    return { response, text: await response.text() };
  };
  try {
    return read(endpoint, await authorized(exchange, signal), path["uid"], Object(query));
  } catch (error) {
    throw failureOf(error, signal);
  }
}

/** Exchanges with the user's token, and once more with another one if the service refuses that. */
async function authorized(
  exchange: (bearer: string, timeout: AbortSignal) => Promise<Answered>,
  signal: AbortSignal | undefined,
): Promise<Answered> {
  const { token, onUnauthenticated } = theService().transport;
  const send = (bearer: string) =>
    withTimeout(RESPONSE_TIMEOUT_SECONDS * 1000, (timeout) => exchange(bearer, timeout), signal);
  const used = await token();
  let answered = await send(used);
  if (answered.response.status === 401) {
    answered = await send(await token({ refused: used }));
    if (answered.response.status === 401) onUnauthenticated();
  }
  return answered;
}

/** What a call throws: the reason of an aborted `signal`, else an ApiError. */
function failureOf(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  const { transport, connection } = theService();
  const known = asApiError(error, transport.baseUrl);
  if (known.kind === "unreachable") connection.check();
  return known;
}

/** A response as it came. */
export interface RawAnswer extends Answered {
  /** From sending the request to having the whole response. */
  readonly milliseconds: number;
}

/**
 * Sends a read with the user's token and returns the response as it came, also a refusal. Never sends a write. Throws an
 * ApiError if there is no response; only an aborted `signal` throws its own reason.
 */
export async function readRaw(asked: RequestInfo, signal?: AbortSignal): Promise<RawAnswer> {
  if (asked.endpoint.method !== "GET") throw new Error(`${asked.endpoint.method} is not a read`);
  const { transport, connection } = theService();
  const { url } = requestOf(transport, asked);
  let started = 0;
  const exchange = async (bearer: string, timeout: AbortSignal): Promise<Answered> => {
    started = performance.now();
    const headers = { ...HEADERS, authorization: `Bearer ${bearer}` };
    const response = await fetch(url, { headers, cache: "no-store", credentials: "omit", signal: timeout });
    connection.noteResponse();
    return { response, text: await response.text() };
  };
  try {
    const answered = await authorized(exchange, signal);
    return { ...answered, milliseconds: performance.now() - started };
  } catch (error) {
    throw failureOf(error, signal);
  }
}

function notFound(): ApiError {
  const message = "No record has this uid.";
  return new ApiError("refused", message, { http: 404, status: { code: 5, message } });
}

function asApiError(cause: unknown, baseUrl: string): ApiError {
  if (cause instanceof ApiError) return cause;
  if (cause instanceof AuthError) {
    if (cause.kind !== "ended") return new ApiError("unreachable", cause.message, { cause });
    const status = { code: 16, message: cause.message };
    return new ApiError("refused", cause.message, { http: 401, status, cause });
  }
  if (!(cause instanceof DOMException && cause.name === "TimeoutError")) return unreachable(baseUrl, cause);
  const message = `${new URL(baseUrl).host} didn't respond within ${RESPONSE_TIMEOUT_SECONDS} seconds.`;
  return new ApiError("unreachable", message, { cause });
}

const unreachable = (baseUrl: string, cause: unknown): ApiError =>
  new ApiError("unreachable", `${new URL(baseUrl).host} can't be reached.`, { cause });

function read<Answer>(
  endpoint: Endpoint<unknown, unknown, Answer>,
  { response, text }: Answered,
  uid: string | undefined,
  query: ListQuery = {},
): Answer {
  const http = response.status;
  const requestId = response.headers.get("x-request-id") ?? undefined;
  const header = response.headers.get("retry-after");
  const facts = { http, requestId, retryAfter: retryAfterOf(header, undefined) };

  let json: unknown;
  let broken: unknown;
  try {
    json = text.trim() === "" ? undefined : withoutNulls(JSON.parse(text));
  } catch (error) {
    broken = error;
  }

  if (!response.ok) {
    const parsed = statusSchema.safeParse(json);
    if (!parsed.success) throw statuslessResponse({ ...facts, cause: broken });
    const status: Status = parsed.data;
    const retryAfter = retryAfterOf(header, status);
    throw new ApiError("refused", status.message || `The service rejected this request (HTTP ${http}).`, {
      http,
      status,
      requestId,
      retryAfter,
    });
  }
  // For a delete only success counts: an empty body, {} and 204 are the same. Text is not valid: a page
  // that an intermediary serves instead comes with 200 as well.
  if (broken) throw invalidResponse({ ...facts, cause: broken });
  if (!endpoint.answer) return undefined as Answer;
  const value =
    endpoint.verb === "list" ? readList(endpoint, json, query) : readRecord(endpoint.answer, json)?.value;
  if (value === undefined) throw invalidResponse(facts);
  const { uid: given = uid }: { uid?: string } = Object(value);
  // What is done at a record can answer with another one: a delivery of a subscription.
  if (endpoint.path.endsWith("/{uid}") && given !== uid) throw invalidResponse(facts);
  return value as Answer;
}
