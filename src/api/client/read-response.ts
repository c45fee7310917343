import type { Endpoint, Schema } from "~/contract/endpoint";
import { parseInt64 } from "~/contract/aip";
import type { ListAnswer, ListQuery } from "~/contract/resource";
import { definitionOf, required, shapeOf } from "~/contract/schema";
import { isObject } from "~/contract/values";

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
