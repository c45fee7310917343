import type { Endpoint } from "platform-contract/endpoint";
import type { ListQuery } from "platform-contract/resource";
import { status as statusSchema, type Status } from "platform-contract/status";

import { ApiError, invalidResponse, retryAfterOf, statuslessResponse } from "./errors";
import { readList, readRecord, withoutNulls } from "./wire";

/** A response whose body has been read. */
export interface Answered {
  readonly response: Response;
  readonly text: string;
}

const factsOf = ({ response: { status, headers } }: Answered, now: number, body?: Status) => ({
  http: status,
  requestId: headers.get("x-request-id") ?? undefined,
  retryAfter: retryAfterOf(headers.get("retry-after"), body, now),
});

/**
 * The JSON of a response without its nulls; undefined if it is empty. Throws an ApiError for a refusal, and for text that
 * is not JSON. `now` is the service's time in ms, for a Retry-After that is a date.
 */
export function readJson(answered: Answered, now = Date.now()): unknown {
  const { response, text } = answered;
  let json: unknown;
  let broken: unknown;
  try {
    json = text.trim() === "" ? undefined : withoutNulls(JSON.parse(text));
  } catch (error) {
    broken = error;
  }
  if (!response.ok) {
    const parsed = statusSchema.safeParse(json);
    if (!parsed.success) throw statuslessResponse({ ...factsOf(answered, now), cause: broken });
    const status: Status = parsed.data;
    const message = status.message || `The service rejected this request (HTTP ${response.status}).`;
    throw new ApiError("refused", message, { ...factsOf(answered, now, status), status });
  }
  // Text is not valid, not even for a delete: a page that an intermediary serves instead comes with 200 as well.
  if (broken) throw invalidResponse({ ...factsOf(answered, now), cause: broken });
  return json;
}

/**
 * The answer to a call by the contract: nulls are absent fields, unknown fields stay, a list is a `ListAnswer`. `uid` is
 * that of the path. Throws an ApiError for a refusal, and for what this API does not send.
 */
export function readAnswer<Answer>(
  endpoint: Endpoint<unknown, unknown, Answer>,
  answered: Answered,
  { uid, query, now = Date.now() }: { uid?: string | undefined; query?: ListQuery; now?: number },
): Answer {
  const json = readJson(answered, now);
  // For a delete only success counts: an empty body, {} and 204 are the same.
  if (!endpoint.answer) return undefined as Answer;
  const value =
    endpoint.verb === "list" ? readList(endpoint, json, query) : readRecord(endpoint.answer, json)?.value;
  if (value === undefined) throw invalidResponse(factsOf(answered, now));
  const { uid: given = uid }: { uid?: string } = Object(value);
  // What is done at a record can answer with another one: a delivery of a subscription.
  if (endpoint.path.endsWith("/{uid}") && given !== uid) throw invalidResponse(factsOf(answered, now));
  return value as Answer;
}
