import type { Endpoint, Schema } from "~/contract/endpoint";
import type { ListAnswer } from "~/contract/resource";
import { definitionOf, required, shapeOf } from "~/contract/schema";

/** One page as it was read. */
export interface ReadPage<T = unknown> extends ListAnswer<T> {
  /** Rows that came in a form that nobody can show. */
  readonly unreadable?: number;
}

/** What reading an answer came to; `undefined` where it is none that the endpoint gives. */
type Outcome = { readonly value: unknown } | undefined;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads one record by the contract. Proto JSON leaves out what is empty: a name that is not there is the empty one. */
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

/** Rows that stand under another name than the collection's: the only list of records in the answer. */
function strayRows(envelope: Record<string, unknown>): unknown[] {
  const lists = Object.values(envelope).filter(
    (value): value is unknown[] => Array.isArray(value) && isObject(value[0]) && "uid" in value[0],
  );
  return lists.length === 1 ? (lists[0] ?? []) : [];
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined;

/**
 * A list envelope with its rows under `items`, whatever the plural (design rule 3). Each row is read by itself, so that
 * one that cannot be read does not take the others with it; how many those are is kept.
 */
export function readList(
  endpoint: Pick<Endpoint, "answer" | "collection">,
  envelope: unknown,
): ReadPage | undefined {
  const schema = rowSchema(endpoint);
  if (!isObject(envelope) || !schema) return undefined;
  const given = envelope[endpoint.collection];
  if (given !== undefined && !Array.isArray(given)) return undefined;
  const rows = given ?? strayRows(envelope);
  const items = rows.flatMap((row) => {
    const read = readRecord(schema, row);
    return read ? [read.value] : [];
  });
  const unreadable = rows.length - items.length;
  const nextPageToken = textOf(envelope["nextPageToken"]);
  const totalCount = textOf(envelope["totalCount"]);
  const { skipped } = envelope;
  return {
    items,
    ...(nextPageToken && { nextPageToken }),
    ...(totalCount !== undefined && { totalCount }),
    ...(typeof skipped === "number" && { skipped }),
    ...(unreadable > 0 && { unreadable }),
  };
}
