import { parseInt64, snakeCase } from "platform-contract/aip";
import { CHANGE_JUSTIFICATION, justificationHeader } from "platform-contract/audit/justification";
import { pathOf, type Endpoint, type Schema } from "platform-contract/endpoint";
import type { ListAnswer, ListQuery } from "platform-contract/resource";
import { definitionOf, required, shapeOf } from "platform-contract/schema";
import { isObject, type Values } from "platform-contract/values";

import type { RequestInfo } from "./request-info";

/** A query parameter before it is converted to text. */
type Parameter = string | number | boolean | readonly (string | number)[] | undefined | null;

interface Service {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** "snake" is for gateways that pass mask paths through unconverted (AIP-134). */
  readonly fieldMaskCase?: "camel" | "snake" | undefined;
}

/** A request as it is sent, and shown to run elsewhere; whoever sends it adds a token. */
export interface WireRequest {
  readonly method: string;
  /** Without the query; uids keep their slashes. */
  readonly address: string;
  /** The whole URL. */
  readonly url: string;
  /** Lists repeat the key; null and undefined values are omitted. */
  readonly parameters: readonly (readonly [key: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Builds the request of a call. */
export function requestOf({ baseUrl, fieldMaskCase }: Service, request: RequestInfo): WireRequest {
  const { endpoint, path = {}, query = {}, body } = request;
  const justification = justificationHeader(request.justification);
  const address = baseUrl + pathOf(endpoint, path);
  const given: readonly [string, Parameter][] = Object.entries(query);
  const parameters = given.flatMap(([key, value]) =>
    [value ?? []].flat().map((item): [string, string] => {
      const text = String(item);
      return [key, key === "updateMask" && fieldMaskCase === "snake" ? snakeCase(text) : text];
    }),
  );
  const search = new URLSearchParams(parameters).toString();
  return {
    method: endpoint.method,
    address,
    url: address + (search && `?${search}`),
    parameters,
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(justification !== undefined && { [CHANGE_JUSTIFICATION]: justification }),
    },
    body,
  };
}

/**
 * JSON null means an absent field: removes nulls from objects and lists at any depth. Iterative, since
 * foreign JSON can be nested deeper than the stack allows. Modifies `json`, which the caller must own.
 */
export function withoutNulls(json: unknown): unknown {
  const left = [json];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) {
      const kept: unknown[] = value.filter((item) => item !== null);
      for (const [index, item] of kept.entries()) value[index] = item;
      value.length = kept.length;
    } else {
      for (const [key, item] of Object.entries(value)) if (item === null) Reflect.deleteProperty(value, key);
    }
    for (const item of Object.values(value)) left.push(item);
  }
  return json;
}

/** True if a uid stays below its collection: dot segments in a URL resolve elsewhere (RFC 3986, 5.2.4). */
export const staysBelow = (uid: string): boolean =>
  !uid.split("/").some((step) => step === "." || step === "..");

/** A parsed response; `undefined` if it is not valid for the endpoint. */
type Outcome = { readonly value: unknown } | undefined;

/** Parses one record by the contract. Proto JSON omits empty values: a missing name is the empty one. */
export function readRecord(schema: Schema, value: unknown): Outcome {
  const read = schema.safeParse(value);
  if (read.success) return { value: read.data };
  if (!isObject(value) || "name" in value) return undefined;
  const named = schema.safeParse({ ...value, name: "" });
  return named.success ? { value: named.data } : undefined;
}

/** The schema of one row. */
function rowSchema({ answer, collection }: Pick<Endpoint, "answer" | "collection">): Schema | undefined {
  const rows = answer && shapeOf(answer)?.[collection];
  return rows && definitionOf(required(rows)).element;
}

/** The declared fields of an envelope beside its rows and the counts of every list; an invalid one is absent. */
const ENVELOPE = ["nextPageToken", "totalCount", "skipped"];
function besideRows(
  { answer, collection }: Pick<Endpoint, "answer" | "collection">,
  envelope: Values,
): object {
  const shape = (answer && shapeOf(answer)) ?? {};
  const read = Object.entries(shape).flatMap(([key, schema]) => {
    if (key === collection || ENVELOPE.includes(key)) return [];
    const { success, data } = schema.safeParse(envelope[key]);
    return success && data !== undefined ? [[key, data] as const] : [];
  });
  return Object.fromEntries(read);
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined;

/** The list's total count from one page; undefined if the service does not count. A bigint if a number is not exact. */
export function totalOf({ totalCount }: ListAnswer<unknown>): number | bigint | undefined {
  const count = totalCount === undefined ? undefined : parseInt64(totalCount);
  return count === undefined || count < 0 ? undefined : count;
}

/**
 * Parses a list envelope, with its rows under `items`; undefined if it is invalid. That includes lists
 * whose readers would wait forever: rows that are counted but never sent, or a page token that points to itself.
 */
export function readList(
  endpoint: Pick<Endpoint, "answer" | "collection">,
  envelope: unknown,
  { page_token, skip }: ListQuery = {},
): ListAnswer<unknown> | undefined {
  const schema = rowSchema(endpoint);
  if (!isObject(envelope) || !schema) return undefined;
  const rows = envelope[endpoint.collection] ?? [];
  if (!Array.isArray(rows)) return undefined;
  const items = rows.flatMap((row) => readRecord(schema, row)?.value ?? []);
  const nextPageToken = textOf(envelope["nextPageToken"]);
  const totalCount = textOf(envelope["totalCount"]);
  const { skipped } = envelope;
  const page = {
    ...besideRows(endpoint, envelope),
    items,
    ...(nextPageToken && { nextPageToken }),
    ...(totalCount !== undefined && { totalCount }),
    ...(typeof skipped === "number" && { skipped }),
  };
  const whole = !page_token && !skip && !nextPageToken;
  const valid =
    items.length === rows.length &&
    (!nextPageToken || nextPageToken !== page_token) &&
    !(whole && items.length === 0 && (totalOf(page) ?? 0) > 0);
  return valid ? page : undefined;
}
