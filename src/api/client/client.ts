import { readAnswer, type Answered } from "platform-client/answer";
import { ApiError } from "platform-client/errors";
import { HEADERS } from "platform-client/headers";
import type { CallInput, RequestInfo } from "platform-client/request-info";
import { withRootFilter, type RootFilter } from "platform-client/root-filter";
import {
  authorized,
  initOf,
  noResponse,
  noSuchRecord,
  RESPONSE_TIMEOUT_SECONDS,
  type TokenSource,
} from "platform-client/send";
import { withTimeout } from "platform-client/timeout";
import { requestOf, staysBelow } from "platform-client/wire";
import type { Endpoint } from "platform-contract/endpoint";
import { ping } from "platform-contract/ping/ping";

import { Store } from "~/store";
import { AuthError } from "~/auth/errors";

import { watchConnection, type ConnectionWatch } from "./connection";
import { thePast } from "./moment";
import { takeEarly } from "./early-requests";
import { forgetTime, noteTime, serviceTime } from "./service-clock";

export interface Transport {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Rejects with an AuthError. */
  readonly token: TokenSource;
  /** Called when a renewed token is refused too: the user must sign in again. */
  onUnauthenticated(): void;
  readonly fieldMaskCase?: "camel" | "snake";
  /** The service answers a repeated POST with the same key once. */
  readonly idempotencyKeys?: boolean;
  /** The service keeps why a change was made. */
  readonly changeJustifications?: boolean;
  /** The service checks writes without doing them. */
  readonly validateOnly?: boolean;
}

export interface RequestInput<Query, Body> extends CallInput<Query, Body> {
  /** Lets the request continue if the page is left meanwhile. */
  readonly keepalive?: boolean;
}

/** Timeout, in seconds, of a probe that only checks whether the service responds. */
const PROBE_TIMEOUT_SECONDS = 10;

interface Connected {
  readonly transport: Transport;
  readonly connection: ConnectionWatch;
  readonly rootFilter: RootFilter;
}

const connected = new Store<Connected | undefined>(() => undefined);

/** Sets where the API is and who calls it. Must be called once, before the first call. */
export function connect(transport: Transport): void {
  forgetTime();
  const connection = watchConnection(() => probe(transport.baseUrl));
  connected.set({ transport, connection, rootFilter: { refused: false } });
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

/** True if the service checks writes without doing them. */
export const checksWrites = (): boolean => connected.get()?.transport.validateOnly === true;

/**
 * Calls one operation of the API and parses its response by the contract: nulls become absent fields, unknown fields
 * stay, a list becomes a `ListAnswer`. Where a service refuses or ignores the filter of the root level, it is applied
 * here. Throws an ApiError; only an aborted `signal` throws its own reason.
 */
export async function call<Query, Body, Answer>(
  endpoint: Endpoint<Query, Body, Answer>,
  input: RequestInput<NoInfer<Query>, NoInfer<Body>> = {},
): Promise<Answer> {
  const exchange = (sent: typeof input) => exchangeOnce(endpoint, sent);
  return withRootFilter(input, theService().rootFilter, thePast()?.through(endpoint, exchange) ?? exchange);
}

/** Resolves if the service responds, even with a refusal. */
async function probe(baseUrl: string): Promise<void> {
  try {
    await withTimeout(PROBE_TIMEOUT_SECONDS * 1000, (signal) => call(ping, { signal }));
  } catch (error) {
    const known = asApiError(error, baseUrl);
    if (known.kind !== "unreachable") return;
    throw known.unsent ? known : noResponse(baseUrl, undefined);
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
  if (!Object.values(path).every(staysBelow)) throw noSuchRecord();
  const justification = takesJustifications() ? input.justification : undefined;
  const asked = { endpoint, path, query: Object(query), body, justification };
  const request = requestOf({ baseUrl, fieldMaskCase }, thePast()?.ask(asked) ?? asked);
  const exchange = async (bearer: string, timeout: AbortSignal): Promise<Answered> => {
    const early = takeEarly(request.method, request.url, bearer, timeout);
    if (early) {
      const answered = await early;
      connection.noteResponse();
      // Its time is not noted: the response waited for its reader.
      return answered;
    }
    const response = await fetch(request.url, {
      ...initOf(request, bearer, idempotencyKey),
      keepalive,
      signal: timeout,
    });
    connection.noteResponse();
    noteTime(response);
    // A connection that breaks here rejects like one that was never made.
    return { response, text: await response.text() };
  };
  try {
    const answered = await authorizedOrEnded(exchange, signal);
    return readAnswer(endpoint, answered, { uid: path["uid"], query: Object(query), now: serviceTime() });
  } catch (error) {
    throw failureOf(error, signal);
  }
}

/** Exchanges with the user's token; ends the session if the service refuses another one too. */
async function authorizedOrEnded(
  exchange: (bearer: string, timeout: AbortSignal) => Promise<Answered>,
  signal: AbortSignal | undefined,
): Promise<Answered> {
  const { token, onUnauthenticated } = theService().transport;
  const answered = await authorized(token, (bearer) =>
    withTimeout(RESPONSE_TIMEOUT_SECONDS * 1000, (timeout) => exchange(bearer, timeout), signal),
  );
  if (answered.response.status === 401) onUnauthenticated();
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
  const { url } = requestOf(transport, thePast()?.ask(asked) ?? asked);
  let started = 0;
  const exchange = async (bearer: string, timeout: AbortSignal): Promise<Answered> => {
    started = performance.now();
    const headers = { ...HEADERS, authorization: `Bearer ${bearer}` };
    const response = await fetch(url, { headers, cache: "no-store", credentials: "omit", signal: timeout });
    connection.noteResponse();
    return { response, text: await response.text() };
  };
  try {
    const answered = await authorizedOrEnded(exchange, signal);
    return { ...answered, milliseconds: performance.now() - started };
  } catch (error) {
    throw failureOf(error, signal);
  }
}

function asApiError(cause: unknown, baseUrl: string): ApiError {
  if (cause instanceof ApiError) return cause;
  if (!(cause instanceof AuthError)) return noResponse(baseUrl, cause);
  if (cause.kind !== "ended") return new ApiError("unreachable", cause.message, { unsent: true, cause });
  const status = { code: 16, message: cause.message };
  return new ApiError("refused", cause.message, { http: 401, status, cause });
}
